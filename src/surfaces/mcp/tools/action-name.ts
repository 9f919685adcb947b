import type { Data } from '../../../catalog/vocabulary/outcome.ts'

/**
 * Splits "core/onescrape" in `service` or `action` into the two fields. The catalog, errors and
 * documents write actions this way, so models send it.
 */
export function splitActionName(sent: Data): Data {
  const { service, action, ...rest } = sent
  if (typeof action === 'string' && (service === undefined || service === '')) {
    const [first, second] = halves(action)
    return second === undefined ? sent : { ...rest, service: first, action: second }
  }
  if (typeof service !== 'string') return sent
  const [owner, named] = halves(service)
  if (action === undefined)
    return named === undefined ? sent : { ...rest, service: owner, action: named }
  if (typeof action !== 'string') return sent
  const own = action.startsWith(`${owner}/`) ? action.slice(owner.length + 1) : action
  return named === undefined || named === own ? { ...rest, service: owner, action: own } : sent
}

function halves(name: string): readonly [string, string | undefined] {
  const slash = name.indexOf('/')
  return slash < 1 || slash === name.length - 1
    ? [name, undefined]
    : [name.slice(0, slash), name.slice(slash + 1)]
}
