/** The base URLs, credentials and limits of vendors, public sources, merchants and simulators. */
import type { Service } from '../../catalog/vocabulary/define.ts'
import type { Merchant } from '../../catalog/vocabulary/merchant.ts'
import { credentialsOf, isOpen, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import type { Dispatches } from '../../upstream/http1/plain-dispatcher.ts'
import type { Gates } from '../../upstream/limits/gates.ts'
import { splitBaseUrl, type Target } from '../../upstream/target.ts'

/** The operator's settings of a service: UPSTREAM_<LABEL>_URL and UPSTREAM_<LABEL>_<NAME>. */
export type UpstreamSettings = {
  readonly url: string | null
  readonly credentials: Readonly<Record<string, string>>
}

export type PlaceSources = {
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  /** For URLs from the catalog: public hosts only. */
  readonly guardedDispatcher: Dispatches
  /** For URLs from the operator, which may be private. */
  readonly operatorDispatcher: Dispatches
  /** Base address of the built-in simulators. */
  readonly simulatorUrl: string
  /** Identifies the gateway to public sources. */
  readonly userAgent: string
  /** Rate limits and circuit breakers of live vendors. Without them there are no limits. */
  readonly gates?: Pick<Gates, 'gateOf'>
}

export type Place = { readonly kind: 'vendor' | 'open' | 'simulator'; readonly target: Target }
export type Places = { readonly live: Place | null; readonly test: Place }

export function findPlaces(sources: PlaceSources, label: string, vendor: Vendor): Places {
  return { live: livePlace(sources, label, vendor), test: simulatorPlace(sources, label, vendor) }
}

// A replaced URL is enough for a lane: a self-hosted edition of a vendor may need no key.
function livePlace(sources: PlaceSources, label: string, vendor: Vendor): Place | null {
  const settings = sources.upstreams.get(label)
  if (settings === undefined && !isOpen(vendor)) return null
  const { url = null, credentials = {} } = settings ?? {}
  if (url === null && vendor.isPaidOnly === true) return null
  if (
    url === null &&
    !isOpen(vendor) &&
    credentialsOf(vendor).some((name) => credentials[name] === undefined)
  )
    return null
  const isKeyed = url !== null || (vendor.auth.in !== 'none' && settings !== undefined)
  const target = targetAt(
    sources,
    label,
    vendor,
    url,
    credentials,
    url === null && vendor.isPrivate !== true
      ? sources.guardedDispatcher
      : sources.operatorDispatcher,
  )
  const isKnown =
    vendor.limitsWithKey !== undefined &&
    credentialsOf(vendor).every((name) => credentials[name] !== undefined)
  return {
    kind: isKeyed ? 'vendor' : 'open',
    target: gated(sources, label, target, isKnown ? vendor.limitsWithKey : vendor.limits),
  }
}

export function gated(
  { gates }: PlaceSources,
  label: string,
  target: Target,
  limits = target.vendor.limits,
): Target {
  return gates === undefined ? target : { ...target, gate: gates.gateOf(label, limits) }
}

function simulatorPlace(sources: PlaceSources, label: string, vendor: Vendor): Place {
  const credentials = Object.fromEntries(credentialsOf(vendor).map((name) => [name, 'simulated']))
  return {
    kind: 'simulator',
    target: {
      ...targetAt(
        sources,
        label,
        vendor,
        `${sources.simulatorUrl}/${label}`,
        credentials,
        sources.operatorDispatcher,
      ),
      isSimulated: true,
    },
  }
}

/** At a replaced URL, all hosts of a vendor share one host. The first part of the path distinguishes them. */
function targetAt(
  { userAgent }: PlaceSources,
  label: string,
  vendor: Vendor,
  replacedBy: string | null,
  credentials: Target['credentials'],
  dispatcher: Dispatches,
): Target {
  const origins = Object.fromEntries(
    Object.entries(vendor.origins ?? {}).map(([name, address]) => [
      name,
      splitBaseUrl(replacedBy === null ? address : `${replacedBy}/${name}`),
    ]),
  )
  // Some vendors want a contact, and common web firewalls reject requests without a user agent.
  const headers = { 'user-agent': userAgent, ...vendor.headers }
  return {
    service: label,
    vendor,
    ...splitBaseUrl(replacedBy ?? vendor.baseUrl),
    origins,
    headers,
    credentials,
    dispatcher,
  }
}

/** A merchant gets no credentials, because the payment authenticates the request. */
export function merchantTarget(
  sources: PlaceSources,
  { id, vendor }: Service,
  { baseUrl, readFailure = vendor?.readFailure }: Merchant,
): Target {
  const shape: Vendor = {
    baseUrl,
    auth: noAuth,
    docsUrl: baseUrl,
    ...(readFailure === undefined ? {} : { readFailure }),
  }
  return gated(
    sources,
    new URL(baseUrl).host,
    targetAt(sources, id, shape, null, {}, sources.guardedDispatcher),
  )
}
