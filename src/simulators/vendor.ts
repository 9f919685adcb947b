/** The contract of simulated vendors. They are pure functions; the server reads, waits and writes. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../lib/clock.ts'

export type SimulatedRequest = {
  readonly method: string
  /** Relative to the vendor's base URL, such as "/search". */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON. Undefined without a body. */
  readonly body: unknown
  readonly now: Clock
}

export type SimulatedReply = {
  readonly status: number
  readonly json?: unknown
  /** Sent if there is no `json`. */
  readonly text?: string
  readonly contentType?: string
  /** Sent one after the other, without a length, if there is neither. */
  readonly pieces?: readonly string[]
  /** Milliseconds between two pieces. */
  readonly paceMs?: number
  /** Breaks the connection after this number of bytes of the body. */
  readonly cutAtByte?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type FailureReason = 'credentials' | 'quota' | 'bad_json' | 'no_route' | 'fault'

export type SimulatedVendor = {
  /** The credential of the request. A missing or empty one is rejected in the vendor's format. */
  readonly credential: (request: SimulatedRequest) => string | undefined
  /** The vendor's error reply with this status. */
  readonly failure: (status: number, reason: FailureReason) => SimulatedReply
  /** The status for used-up credit. */
  readonly quotaStatus: number
  /** Texts of the request that may ask for a fault: URLs and phrases. */
  readonly texts: (request: SimulatedRequest) => readonly string[]
  /** Returns undefined for an unknown route. */
  readonly answer: (request: SimulatedRequest) => SimulatedReply | undefined
  /** Whether this path accepts bytes instead of JSON. */
  readonly takesBytes?: (path: string) => boolean
  /** Overrides the limit of two mebibytes. */
  readonly maxBodyBytes?: number
}

export function bearerCredential({ headers }: SimulatedRequest): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function bodyField(request: SimulatedRequest, name: string): unknown {
  const { body } = request
  return typeof body === 'object' && body !== null
    ? (body as Record<string, unknown>)[name]
    : undefined
}

export function stringsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (item): item is string => typeof item === 'string',
  )
}
