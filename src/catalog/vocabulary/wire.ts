/** How a vendor is spoken to: requests relative to its base address, its answers, and where it wants its credentials. */
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Micros } from '../../lib/money.ts'

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** What to send, relative to the vendor's base address. Credentials are added on the way out, never here. */
export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** One of the vendor's named `origins`; left out: the base address. */
  readonly origin?: string
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly json?: unknown
  /** Fields of a form, sent in place of `json`. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent without the operator's credentials, to a vendor that would take them for an order. */
  readonly anonymous?: true
  /** A request that may be repeated after a server error of the vendor: how often, and after how long. */
  readonly retry?: { readonly times: number; readonly afterMs: number }
  /** Sent so long after the answer before it, about what was not finished then. */
  readonly afterMs?: number
  /** Runs what the caller wrote, whose slowness is not the vendor's: others are not kept from the vendor by it. */
  readonly runsProgram?: true
  /** Statuses outside 2xx that are answers: the outcome reads them. */
  readonly acceptedStatuses?: readonly number[]
  /** Follows redirects: within the vendor's own host, or to any public one for requests that carry no credential. `Reply.path` tells where they ended. */
  readonly followsRedirects?: true | 'anywhere'
  /** The answer is a page as it lies with somebody else: text in a character set of its own, which is never parsed. */
  readonly page?: true
  /** The same of any file: a body whose content type is not textual comes as base64. */
  readonly binary?: true
  /** Reference data that changes slowly: the answer serves later calls of this process for so long. */
  readonly cacheSeconds?: number
  /** What sending it agrees to pay: a price that the vendor named before. `Reply.agreed` brings it to the outcome. */
  readonly agreed?: Micros
}

/** A vendor's answer with a 2xx status. `body` is parsed JSON, or the text itself when it is not JSON or a page or file was asked for. */
export type Reply<Body = unknown> = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Where redirects ended, for a request that follows them. */
  readonly path?: string
  /** The price that the request agreed to. */
  readonly agreed?: Micros
}

export function get(path: string, query?: Readonly<Record<string, QueryValue>>): WireRequest {
  return query === undefined ? { method: 'GET', path } : { method: 'GET', path, query }
}

export function post(path: string, json: unknown): WireRequest {
  return { method: 'POST', path, json }
}

/** Where a vendor wants its credentials. `KEY` stands for UPSTREAM_<LABEL>_KEY, any other name for UPSTREAM_<LABEL>_<NAME>. */
export type Auth =
  /** An open vendor: anybody may ask. */
  | { readonly in: 'none' }
  /** `optional`: the vendor answers without it too, as a rule less often. */
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
  /** Several headers, each with a credential of its own; those of `also` are sent when the operator set them. */
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

/** Header names with the names of their credentials. */
export function keyHeaders(
  headers: Readonly<Record<string, string>>,
  also: Readonly<Record<string, string>> = {},
): Auth {
  return { in: 'headers', headers, also }
}

export function keyQuery(name: string, credential = 'KEY'): Auth {
  return { in: 'query', name, credential }
}

/** Whether a content type is of text; none is taken for text. */
export function isTextual(contentType: string): boolean {
  return contentType === '' || /^text\/|json|xml|html|javascript/i.test(contentType)
}

export const noAuth: Auth = { in: 'none' }

/** The header that tells a simulated vendor whose request it gets. */
export const SIMULATED_ACCOUNT = 'x-simulated-account'

/** Names of the credentials, and of other settings, without which the vendor does not answer. */
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

/** Names of the settings that open a vendor's lane, such as UPSTREAM_RENDER_KEY. */
export function settingsOf(
  label: string,
  vendor: Pick<Vendor, 'auth' | 'requiredSettings' | 'isPaidOnly'>,
): readonly string[] {
  const names = vendor.isPaidOnly === true ? ['URL'] : credentialsOf(vendor)
  return names.map((name) => `UPSTREAM_${label.toUpperCase().replaceAll('-', '_')}_${name}`)
}

/** Whether the vendor answers without any credential: such a vendor is live out of the box. */
export function isOpen({ auth }: Pick<Vendor, 'auth'>): boolean {
  return auth.in === 'none' || ('optional' in auth && auth.optional)
}

/** What a vendor asks of those who use it; shared by all calls to that vendor, whichever service they serve. */
export type VendorLimits = {
  /** Requests per second; a fraction is one request every so many seconds. */
  readonly perSecond?: number
  /** Requests in any minute, where a burst is welcome; not beside `perSecond`. */
  readonly perMinute?: number
  readonly concurrent?: number
  readonly perDay?: number
}

/** What a vendor's own error answer means, where its status alone misleads. */
export type VendorFailure = {
  readonly code: ErrorCode
  readonly vendorCode?: string
  readonly message?: string
  /** What the caller can do, where the advice of the code alone would not help. */
  readonly fix?: string
}

export type Vendor = {
  /** Name of its settings (UPSTREAM_<LABEL>_…), limits and simulator; left out: the service's own. */
  readonly label?: string
  readonly baseUrl: string
  /** Further hosts by name. Under UPSTREAM_<LABEL>_URL and the simulator the name is the first part of the path. */
  readonly origins?: Readonly<Record<string, string>>
  readonly auth: Auth
  /** A merchant that takes payments and no keys: a key goes along to UPSTREAM_<LABEL>_URL alone, where something else speaks its wire. */
  readonly isPaidOnly?: true
  /** Names of settings beside the credentials that its requests cannot be made without: UPSTREAM_<LABEL>_<NAME>. */
  readonly requiredSettings?: readonly string[]
  /** Fields of every JSON body that belong to the operator's account: UPSTREAM_<LABEL>_<setting>, or what a new account has. */
  readonly accountFields?: Readonly<
    Record<string, { readonly setting: string; readonly fallback: string }>
  >
  readonly limits?: VendorLimits
  /** What an optional credential raises them to. */
  readonly limitsWithKey?: VendorLimits
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** It wants to know who asks: the operator's USER_AGENT goes along. */
  readonly sendsUserAgent?: true
  /** Public documentation of the vendor's API. */
  readonly docsUrl: string
  /** Reads an answer outside 2xx. Undefined: the status decides. */
  readonly readFailure?: (reply: Reply) => VendorFailure | undefined
}
