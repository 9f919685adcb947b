/** How a vendor is spoken to: requests relative to its base address, its answers, and where it wants its credentials. */
import type { ErrorCode } from '../errors/catalog.ts'

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** What to send, relative to the vendor's base address. Credentials are added on the way out, never here. */
export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A vendor's answer with a 2xx status. `body` is parsed JSON, or the text itself when it is not JSON. */
export type Reply<Body = unknown> = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

export function get(path: string, query?: Readonly<Record<string, QueryValue>>): WireRequest {
  return query === undefined ? { method: 'GET', path } : { method: 'GET', path, query }
}

export function post(path: string, json: unknown): WireRequest {
  return { method: 'POST', path, json }
}

/** Where a vendor wants its credentials. `KEY` stands for UPSTREAM_<LABEL>_KEY, any other name for UPSTREAM_<LABEL>_<NAME>. */
export type Auth =
  | { readonly in: 'header'; readonly name: string; readonly prefix?: string; readonly credential: string }
  | { readonly in: 'query'; readonly name: string; readonly credential: string }
  | { readonly in: 'basic'; readonly user: string; readonly password: string }

export function bearer(credential = 'KEY'): Auth {
  return { in: 'header', name: 'authorization', prefix: 'Bearer ', credential }
}

export function keyHeader(name: string, credential = 'KEY'): Auth {
  return { in: 'header', name, credential }
}

export function keyQuery(name: string, credential = 'KEY'): Auth {
  return { in: 'query', name, credential }
}

/** What a vendor's own error answer means, where its status alone misleads. */
export type VendorFailure = { readonly code: ErrorCode; readonly vendorCode?: string; readonly message?: string }

export type Vendor = {
  readonly baseUrl: string
  readonly auth: Auth
  /** It executes a request once when it is repeated with the same Idempotency-Key header; documented by the vendor. */
  readonly takesIdempotencyKey?: true
  /** Public documentation of the vendor's API. */
  readonly docsUrl: string
  /** Reads an answer outside 2xx. Undefined: the status decides. */
  readonly readFailure?: (reply: Reply) => VendorFailure | undefined
}
