import { TollgateError } from './tollgate-error.ts'
import type { ApiResponse } from './transport.ts'

export type Charge = {
  /** Exact, in micro-dollars: 20000 is 2 cents. */
  readonly micros: number
  /** In cents, rounded up. */
  readonly cents: number
}

/** Advice for an agent that repeats itself. */
export type Advice = {
  readonly code: string
  readonly text: string
  readonly [field: string]: unknown
}

/** The outcome of a call. */
export type Result<Data> = {
  readonly data: Data
  readonly charged: Charge
  readonly requestId: string
  readonly idempotencyKey: string
  /** The response to an earlier call with the same key; not charged again. */
  readonly replayed: boolean
  /** The answer comes from a cassette. `charged` is the charge of the recorded call; this one is free. */
  readonly recorded: boolean
  /** True with a test key: no vendor was called, and no money was charged. */
  readonly simulated: boolean
  /** The balance of the key, in cents; null for an answer without it. */
  readonly remainingCents: number | null
  /** Fields of the input that `max_cost_cents` lowered. */
  readonly lowered: Readonly<Record<string, unknown>> | null
  readonly advice: Advice | null
}

type Envelope<Data> = {
  readonly ok: true
  readonly data: Data
  readonly charged_cents: number
  readonly charged_micros: number
  readonly request_id: string
  readonly test?: true
  readonly lowered?: Readonly<Record<string, unknown>>
  readonly advice?: Advice
}

/** Throws TollgateError invalid_response. */
export function readResult<Data>(answer: ApiResponse): Result<Data> {
  const { headers } = answer.response
  const envelope = readJson(answer) as Envelope<Data>
  const remaining = headers.get('x-credits-remaining-cents')
  return {
    data: envelope.data,
    charged: { micros: envelope.charged_micros, cents: envelope.charged_cents },
    requestId: envelope.request_id,
    idempotencyKey: answer.idempotencyKey ?? '',
    replayed: headers.get('idempotency-replayed') === 'true',
    recorded: recordedMicros(headers) !== null,
    simulated: envelope.test === true,
    remainingCents: remaining === null ? null : Number(remaining),
    lowered: envelope.lowered ?? null,
    advice: envelope.advice ?? null,
  }
}

/** The charge of the recorded call, in micro-dollars; null for an answer that no cassette replayed. */
export function recordedMicros(headers: Headers): number | null {
  const cassette = headers.get('x-tollgate-cassette') ?? ''
  const micros = /; result=replayed; charged_micros=(\d+)/.exec(cassette)?.[1]
  return micros === undefined ? null : Number(micros)
}

/** An answer of the gateway with `ok: true`. Throws TollgateError invalid_response. */
export function readJson({ response, text, idempotencyKey }: ApiResponse): object {
  try {
    const body = JSON.parse(text) as { readonly ok?: boolean } | null
    if (body?.ok === true) return body
  } catch {
    // Reported below.
  }
  throw new TollgateError({
    code: 'invalid_response',
    message: `The response is not from a gateway: ${text.slice(0, 200)}`,
    fix: 'Check the url: it is the address of the gateway without a path.',
    status: response.status,
    idempotencyKey,
  })
}
