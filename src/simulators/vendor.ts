/** What each simulated vendor consists of. Vendors are pure: the server reads, waits and writes for them. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../lib/clock.ts'

export type SimulatedRequest = {
  readonly method: string
  /** Below the vendor's base address, such as "/search". */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON; undefined when there is no body. */
  readonly body: unknown
  readonly now: Clock
}

export type SimulatedReply = {
  readonly status: number
  readonly json?: unknown
  /** Sent as it stands when there is no `json`. */
  readonly text?: string
  readonly contentType?: string
  /** Sent one after the other, without a length, when there is neither. */
  readonly pieces?: readonly string[]
  /** Milliseconds between two pieces; none when left out. */
  readonly paceMs?: number
  /** The connection breaks after so many bytes of the body. */
  readonly cutAtByte?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type FailureReason = 'credentials' | 'quota' | 'bad_json' | 'no_route' | 'fault'

export type SimulatedVendor = {
  /** The credential that the request carries; none or an empty one is refused as the vendor does. */
  readonly credential: (request: SimulatedRequest) => string | undefined
  /** The vendor's own way to fail with this status. */
  readonly failure: (status: number, reason: FailureReason) => SimulatedReply
  /** Status with which the vendor says that its credit is used up. */
  readonly quotaStatus: number
  /** Texts of the request that may ask for a fault: addresses and phrases. */
  readonly texts: (request: SimulatedRequest) => readonly string[]
  /** Undefined: there is no such route. */
  readonly answer: (request: SimulatedRequest) => SimulatedReply | undefined
  /** Whether bytes of any kind are sent there, and not JSON. */
  readonly takesBytes?: (path: string) => boolean
  /** Where more than the usual two mebibytes are taken. */
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
