/**
 * The wire format of a vendor: requests relative to its base address, replies, credentials and
 * limits.
 */
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** A request relative to the vendor's base address. `src/upstream` adds the credentials. */
export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** One of the vendor's named `origins`; the base address by default. */
  readonly origin?: string
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly json?: unknown
  /** Form fields, sent instead of `json`. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent without credentials, to a vendor that would treat them as an order. */
  readonly anonymous?: true
  /** Allows repeating the request after a server error of the vendor. */
  readonly retry?: { readonly times: number; readonly afterMs: number }
  /** Delay after the previous reply, for polling. */
  readonly afterMs?: number
  /** Runs the caller's program. Its slowness is not the vendor's and must not pause other calls. */
  readonly runsProgram?: true
  /** Statuses outside 2xx that are answers. `outcome` reads them. */
  readonly acceptedStatuses?: readonly number[]
  /**
   * Follows redirects within the vendor's host, or to any public host if the request carries no
   * credential. `Reply.path` is the final path.
   */
  readonly followsRedirects?: true | 'anywhere'
  /** A method of an MCP server. `json` has its parameters, and only simulators read the path. */
  readonly rpc?: 'tools/call' | 'tools/list'
  /** The answer is a web page in any character set. It is decoded to text and never parsed. */
  readonly page?: true
  /** The answer is a file. A body whose content type is not textual is returned as base64. */
  readonly binary?: true
  /** For reference data that changes slowly: the process reuses the answer for this long. */
  readonly cacheSeconds?: number
  /**
   * A price that the vendor quoted before. Sending the request accepts it; `Reply.agreed` repeats
   * it.
   */
  readonly agreed?: Micros
}

/**
 * A vendor's answer with a 2xx status. `body` is parsed JSON. It is text if the answer is not JSON
 * or the request asked for a page or file.
 */
export type Reply<Body = unknown> = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The final path of a request that follows redirects. */
  readonly path?: string
  /** The price that the request accepted. */
  readonly agreed?: Micros
}

export function get(path: string, query?: Readonly<Record<string, QueryValue>>): WireRequest {
  return query === undefined ? { method: 'GET', path } : { method: 'GET', path, query }
}

export function post(path: string, json: unknown): WireRequest {
  return { method: 'POST', path, json }
}

/**
 * The place of a vendor's credentials in a request. `KEY` stands for UPSTREAM_<LABEL>_KEY, any
 * other name for UPSTREAM_<LABEL>_<NAME>.
 */
export type Auth =
  /** An open vendor, which requires no credential. */
  | { readonly in: 'none' }
  /** `optional`: the vendor also answers without it, usually under stricter limits. */
  | {
      readonly in: 'header'
      readonly name: string
      readonly prefix?: string
      readonly credential: string
      readonly optional?: true
    }
  | {
      readonly in: 'query'
      readonly name: string
      readonly credential: string
      readonly optional?: true
    }
  /**
   * Several headers, each with its own credential. Headers in `also` are sent if the operator set
   * them.
   */
  | {
      readonly in: 'headers'
      readonly headers: Readonly<Record<string, string>>
      readonly also?: Readonly<Record<string, string>>
    }
  /** A field of the JSON body. */
  | { readonly in: 'body'; readonly name: string; readonly credential: string }
  | { readonly in: 'basic'; readonly user: string; readonly password: string }

export function bearer(credential = 'KEY'): Auth {
  return { in: 'header', name: 'authorization', prefix: 'Bearer ', credential }
}

export function keyHeader(name: string, credential = 'KEY'): Auth {
  return { in: 'header', name, credential }
}

/** Maps header names to the names of their credentials. */
export function keyHeaders(
  headers: Readonly<Record<string, string>>,
  also: Readonly<Record<string, string>> = {},
): Auth {
  return { in: 'headers', headers, also }
}

export function keyQuery(name: string, credential = 'KEY'): Auth {
  return { in: 'query', name, credential }
}

/** Whether a content type is text. A missing content type counts as text. */
export function isTextual(contentType: string): boolean {
  return contentType === '' || /^text\/|json|xml|html|javascript/i.test(contentType)
}

export const noAuth: Auth = { in: 'none' }

/** The header that identifies the account to a simulated vendor. */
export const SIMULATED_ACCOUNT = 'x-simulated-account'

/** Names of the settings that a request to the vendor needs, credentials first. */
export function credentialsOf({
  auth,
  requiredSettings = [],
}: Pick<Vendor, 'auth' | 'requiredSettings'>): readonly string[] {
  return [...credentialsIn(auth), ...requiredSettings]
}

function credentialsIn(auth: Auth): readonly string[] {
  if (auth.in === 'none') return []
  if (auth.in === 'headers') return Object.values(auth.headers)
  return auth.in === 'basic' ? [auth.user, auth.password] : [auth.credential]
}

/** Full names of the settings that activate a vendor, such as UPSTREAM_RENDER_KEY. */
export function settingsOf(
  label: string,
  vendor: Pick<Vendor, 'auth' | 'requiredSettings' | 'isPaidOnly'>,
): readonly string[] {
  const names = vendor.isPaidOnly === true ? ['URL'] : credentialsOf(vendor)
  return names.map((name) => `UPSTREAM_${label.toUpperCase().replaceAll('-', '_')}_${name}`)
}

/** Whether the vendor answers without any credential, so that it is live without setup. */
export function isOpen({ auth }: Pick<Vendor, 'auth'>): boolean {
  return auth.in === 'none' || ('optional' in auth && auth.optional)
}

/** A vendor's limits. All calls to the vendor share them, regardless of the service. */
export type VendorLimits = {
  /** Requests per second. A fraction such as 0.5 means one request every two seconds. */
  readonly perSecond?: number
  /** Requests within any minute, for a vendor that allows bursts. Excludes `perSecond`. */
  readonly perMinute?: number
  readonly concurrent?: number
  readonly perDay?: number
}

/** The meaning of a vendor's error reply whose status alone is misleading. */
export type VendorFailure = {
  readonly code: ErrorCode
  readonly vendorCode?: string
  readonly message?: string
  /** Advice for the caller, if the general advice of the code would not help. */
  readonly fix?: string
}

export type Vendor = {
  /**
   * Names the vendor's settings (UPSTREAM_<LABEL>_…), limits and simulator; the service's id by
   * default.
   */
  readonly label?: string
  readonly baseUrl: string
  /**
   * Additional hosts by name. Under UPSTREAM_<LABEL>_URL and in the simulator, the name is the
   * first part of the path.
   */
  readonly origins?: Readonly<Record<string, string>>
  readonly auth: Auth
  /**
   * A merchant that takes payments only. A key is sent to UPSTREAM_<LABEL>_URL alone, where another
   * server may implement its wire format.
   */
  readonly isPaidOnly?: true
  /** The operator's own API, which may be in a private network. Requests to `baseUrl` pass no guard. */
  readonly isPrivate?: true
  /** Settings that requests need in addition to the credentials: UPSTREAM_<LABEL>_<NAME>. */
  readonly requiredSettings?: readonly string[]
  /**
   * Fields of every JSON body that depend on the operator's account: the value of
   * UPSTREAM_<LABEL>_<setting>, or the default of a new account.
   */
  readonly accountFields?: Readonly<
    Record<string, { readonly setting: string; readonly fallback: string }>
  >
  readonly limits?: VendorLimits
  /** The limits that apply when the optional credential is set. */
  readonly limitsWithKey?: VendorLimits
  /** Sent with every request, after the operator's USER_AGENT. */
  readonly headers?: Readonly<Record<string, string>>
  /** Public documentation of the vendor's API. */
  readonly docsUrl: string
  /** Reads a reply outside 2xx. If undefined, the status decides. */
  readonly readFailure?: (reply: Reply) => VendorFailure | undefined
}
