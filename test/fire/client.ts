/** A client that calls gateways over HTTP, with one connection per concurrent call. */
import { Agent, request, type Dispatcher } from 'undici'
import { cleanUp } from '../harness/clean-up.ts'

export type Question = {
  readonly url: string
  readonly key: string
  readonly path: string
  readonly method?: Dispatcher.HttpMethod
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** Seconds to wait for held money. */
  readonly waitSeconds?: number
  readonly signal?: AbortSignal
}

export type Answer = {
  readonly status: number
  readonly text: string
  /** Of an error; null when the call succeeded. */
  readonly code: string | null
  readonly chargedMicros: number
  /** Without its prefix: the id of the call's transaction. */
  readonly callId: string
  readonly replayed: boolean
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

// Without a limit of its own: a thousand concurrent calls are a thousand connections.
const dispatcher = new Agent({ connections: null, headersTimeout: 120_000 })
cleanUp(() => dispatcher.destroy())

/** One request. Rejects when the connection breaks before the whole answer is there. */
export async function ask({
  url,
  key,
  path,
  method,
  body,
  idempotencyKey,
  waitSeconds,
  signal,
}: Question): Promise<Answer> {
  const response = await request(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    dispatcher,
    ...(signal === undefined ? {} : { signal }),
  })
  return answerOf(response.statusCode, await response.body.text(), response.headers)
}

function answerOf(status: number, text: string, headers: Answer['headers']): Answer {
  const parsed = JSON.parse(text) as {
    error?: { code: string }
    charged_micros?: number
    request_id?: string
  }
  return {
    status,
    text,
    code: parsed.error?.code ?? null,
    chargedMicros: parsed.charged_micros ?? 0,
    callId: (parsed.request_id ?? '').replace('req_', ''),
    replayed: headers['idempotency-replayed'] === 'true',
    headers,
  }
}

/** How often each outcome came: `{ 200: 7, 'api_key_limit_exceeded 402': 993 }`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, code } of answers) {
    const name = code === null ? String(status) : `${code} ${status}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
