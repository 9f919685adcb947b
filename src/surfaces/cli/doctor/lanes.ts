import type { Action, Service } from '../../../catalog/vocabulary/define.ts'
import { bearer, credentialsOf, isOpen, settingsOf } from '../../../catalog/vocabulary/wire.ts'
import type { Config } from '../../../app/settings/config.ts'
import { isSupported, type HandlerMeans } from '../../../app/wiring/in-house/supported-handlers.ts'
import { missing, ok, type Check } from './check.ts'

/** `paysBy`: the payment methods of the operator's wallets. */
export type Means = Partial<HandlerMeans> & { readonly paysBy?: ReadonlySet<string> }

/** Reports for each service of a vendor whether it is set up, and what works without a key. */
export function checkLanes(
  services: readonly Service[],
  upstreams: Config['upstreams'],
  means: Means = {},
): Check[] {
  const withVendor = services.filter(({ vendor }) => vendor !== undefined)
  return [
    ...withVendor.map((service) => checkLane(service, upstreams, means)),
    ...findUnknown(services, upstreams),
  ]
}

function checkLane(
  service: Service,
  upstreams: Config['upstreams'],
  { paysBy = new Set(), hasModel = false, parts = new Set(), proxies = [] }: Means,
): Check {
  const name = `service ${service.id}`
  const settings = upstreams.get(service.id)
  const isFree = service.vendor !== undefined && isOpen(service.vendor)
  if (settings !== undefined) {
    const names = Object.keys(settings.credentials)
    if (service.vendor?.isPaidOnly === true && settings.url === null)
      return missing(
        name,
        `${names.join(', ')}, not used: the merchant is paid per call and accepts no key`,
        `Remove ${variableOf(service.id)}. ${setting(service)}`,
      )
    const lacks =
      !isFree &&
      settings.url === null &&
      credentialsOf(service.vendor ?? { auth: bearer() }).some(
        (credential) => !names.includes(credential),
      )
    if (lacks)
      return missing(name, `only ${names.join(', ')}: live calls return 503`, setting(service))
    return ok(
      name,
      `vendor, ${names.length === 0 ? 'without a key' : names.join(', ')}${settings.url === null ? '' : `, at ${new URL(settings.url).host}`}`,
    )
  }
  if (isFree) return ok(name, 'no key needed')
  const actions = Object.values(service.actions)
  const paid = actions.filter((action) => isPaidFor(action, paysBy)).length
  if (paid === actions.length) return ok(name, 'paid per call')
  const without = actions.filter(
    (action) => worksWithoutKey(action, { hasModel, parts, proxies }) || isPaidFor(action, paysBy),
  ).length
  const lane = paid === 0 ? 'in-house' : 'in-house or paid per call'
  if (without === actions.length) return ok(name, lane)
  const found =
    without === 0
      ? 'not set up: live calls return 503'
      : `${lane} for ${without} of ${actions.length} actions`
  return missing(name, found, setting(service))
}

function isPaidFor(action: Action, paysBy: ReadonlySet<string>): boolean {
  return (
    (action.kind === 'call' || action.kind === 'endpoint') &&
    action.merchant !== undefined &&
    paysBy.has(action.merchant.at.method)
  )
}

function worksWithoutKey(action: Action, means: HandlerMeans): boolean {
  if (action.kind === 'call')
    return (
      action.openSource !== undefined ||
      (action.inHouse !== undefined && isSupported(action, means))
    )
  if (action.kind === 'job')
    return action.inHouse !== undefined && means.parts.has(action.inHouse.part)
  return (
    action.kind === 'endpoint' &&
    action.endpoints.some(
      ({ inHouse, openSource }) => inHouse !== undefined || openSource !== undefined,
    )
  )
}

function setting({ id, vendor }: Service): string {
  if (vendor?.isPaidOnly === true)
    return `Set PAY_TEMPO_KEY to pay per call, or ${settingsOf(id, vendor).join(' and ')} to a server with the same API as ${vendor.baseUrl}. Keys for other APIs of the vendor do not work.`
  return `Set ${settingsOf(id, vendor ?? { auth: bearer() }).join(' and ')}.`
}

// `checkModels` checks the upstreams of the language-model router.
const ROUTER_LABEL = /^llm(-[a-d])?$/

// The gateway ignores settings with a misspelled label.
function findUnknown(services: readonly Service[], upstreams: Config['upstreams']): Check[] {
  const known = new Set(services.flatMap(labelsOf))
  return [...upstreams.keys()]
    .filter((label) => !known.has(label) && !ROUTER_LABEL.test(label))
    .map((label) =>
      missing(
        `service ${label}`,
        `unknown service "${label}"`,
        `Correct or remove ${variableOf(label)}.`,
      ),
    )
}

/** The labels of a service, its vendor, and the sources and vendors of its actions and paths. */
function labelsOf({ id, vendor, actions }: Service): string[] {
  const others = Object.values(actions).flatMap((action) =>
    action.kind === 'endpoint'
      ? action.endpoints.flatMap((entry) => [entry.vendor, entry.openSource?.vendor])
      : action.kind === 'call'
        ? [action.openSource?.vendor]
        : [],
  )
  return [id, vendor?.label ?? id, ...others.flatMap((other) => other?.label ?? [])]
}

function variableOf(serviceId: string): string {
  return `UPSTREAM_${serviceId.toUpperCase().replaceAll('-', '_')}_KEY`
}
