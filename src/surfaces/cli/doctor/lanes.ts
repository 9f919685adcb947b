import type { Service } from '../../../catalog/define.ts'
import type { Config } from '../../../start/config.ts'
import { missing, ok, type Check } from './check.ts'

/** For each service that a vendor performs: whether the operator gave a key, and what happens without one. */
export function checkLanes(services: readonly Service[], upstreams: Config['upstreams']): Check[] {
  const withVendor = services.filter(({ vendor }) => vendor !== undefined)
  return [...withVendor.map((service) => laneOf(service, upstreams)), ...strangers(services, upstreams)]
}

function laneOf(service: Service, upstreams: Config['upstreams']): Check {
  const name = `service ${service.id}`
  const settings = upstreams.get(service.id)
  if (settings !== undefined) {
    const names = Object.keys(settings.credentials)
    return ok(name, `vendor, ${names.length === 0 ? 'without a key' : names.join(', ')}${settings.url === null ? '' : `, at ${new URL(settings.url).host}`}`)
  }
  const actions = Object.values(service.actions)
  const inHouse = actions.filter((action) => action.kind === 'call' && action.inHouse !== undefined).length
  if (inHouse === actions.length) return ok(name, 'in-house')
  const found = inHouse === 0 ? 'not set up: live calls answer 503' : `in-house for ${inHouse} of ${actions.length} actions`
  return missing(name, found, `Set ${variableOf(service.id)}.`)
}

// A misspelt label would otherwise be ignored without a word.
function strangers(services: readonly Service[], upstreams: Config['upstreams']): Check[] {
  const known = new Set(services.map(({ id }) => id))
  return [...upstreams.keys()].filter((label) => !known.has(label)).map((label) => missing(`service ${label}`, `there is no service "${label}"`, `Correct or remove ${variableOf(label)}.`))
}

function variableOf(serviceId: string): string {
  return `UPSTREAM_${serviceId.toUpperCase().replaceAll('-', '_')}_KEY`
}
