/** A response of the gateway to a call. `body` is undefined if it is not JSON. */
export type Sent = {
  readonly status: number
  readonly ms: number
  readonly text: string
  readonly body: Envelope | undefined
  /** The charge and the id of another call, whose end this is. */
  readonly chargedMicros?: number
  readonly requestId?: string
}

export type Envelope = {
  readonly ok?: boolean
  readonly data?: unknown
  readonly error?: CallError
  readonly charged_micros?: number
  readonly request_id?: string
  readonly lowered?: Readonly<Record<string, unknown>>
  readonly advice?: { readonly message?: string }
  readonly test?: boolean
}

export type CallError = {
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly fix: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type Mode = 'test' | 'live'

/** The call that a form describes. */
export type CallName = { readonly service: string; readonly action: string }

/**
 * Sends a call of the signed-in reader. A repeated call with the same `once` is charged once. Throws
 * TypeError without a connection.
 */
export async function sendCall(
  mode: Mode,
  { service, action }: CallName,
  input: unknown,
  { once }: { readonly once?: string } = {},
): Promise<Sent> {
  return send(`/playground/${mode}/run/${service}/${action}`, input, { once })
}

/** Asks for the most that a live call with this input can cost. */
export function sendPrice({ service, action }: CallName, input: unknown, signal: AbortSignal) {
  return send(`/playground/live/price/${service}/${action}`, input, { signal })
}

async function send(
  url: string,
  input: unknown,
  {
    once,
    signal,
  }: { readonly once?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Sent> {
  const startMs = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(once === undefined ? {} : { 'idempotency-key': once }),
    },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  const ms = Math.round(performance.now() - startMs)
  return { status: response.status, ms, text, body: parse(text) }
}

function parse(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}

/** A key for one attempt. Over plain http, browsers have no randomUUID. */
export function newOnce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `play-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
