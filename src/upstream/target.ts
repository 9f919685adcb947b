import { noAuth, type Vendor, type WireRequest } from '../catalog/vocabulary/wire.ts'
import { invariant } from '../errors/app-error.ts'
import type { Incoming, Limits, Outgoing } from './exchange.ts'
import type { Dispatches } from './http1/plain-dispatcher.ts'
import type { Gate } from './limits/gate.ts'

/** A vendor's address and credentials. */
export type Target = {
  readonly service: string
  readonly vendor: Vendor
  /** Scheme, host and port of the base URL. */
  readonly origin: string
  /** The base URL's path without a trailing slash; often empty. */
  readonly basePath: string
  /** Further hosts of the vendor by name. */
  readonly origins?: Readonly<Record<string, Pick<Target, 'origin' | 'basePath'>>>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Credentials by name: KEY and any others that the vendor needs. */
  readonly credentials: Readonly<Record<string, string>>
  /** The target receives the caller's account: a simulated vendor's state is per account. */
  readonly isSimulated?: true
  readonly dispatcher: Dispatches
  /** Replaces the plain exchange for a merchant that must be paid. */
  readonly exchange?: (outgoing: Outgoing, limits: Limits) => Promise<Incoming>
  /** Applies the vendor's limits; simulations have none. */
  readonly gate?: Gate
}

/** Splits a vendor's base URL once, so that calls do not parse it again. */
export function splitBaseUrl(baseUrl: string): Pick<Target, 'origin' | 'basePath'> {
  const { origin, pathname } = new URL(baseUrl)
  return { origin, basePath: pathname.replace(/\/+$/, '') }
}

export function senderOf(target: Target, { anonymous }: WireRequest): Target {
  return anonymous === true ? { ...target, vendor: { ...target.vendor, auth: noAuth } } : target
}

export function placeOf(
  target: Target,
  { origin }: WireRequest,
): Pick<Target, 'origin' | 'basePath'> {
  const place = origin === undefined ? target : target.origins?.[origin]
  invariant(place !== undefined, `${target.service} has an origin named ${origin}`)
  return place
}
