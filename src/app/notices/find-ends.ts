import { endpointExample } from '../../catalog/published/endpoint-example.ts'
import type { Action, Service } from '../../catalog/vocabulary/define.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Vendor, WireRequest } from '../../catalog/vocabulary/wire.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { EndLine } from '../../operate/operate-deps.ts'
import { anthropicModels, openaiModels } from '../../vendors/shared/model-prices.ts'
import { ANNOUNCED_ENDS, type AnnouncedEnd, type Ending } from './announced-ends.ts'

export type EndSources = {
  readonly services: readonly Service[]
  /** The models of each tier of the router. */
  readonly tiers: ReadonlyMap<string, readonly string[]>
  /** Vendors with a key, by label. */
  readonly upstreams: ReadonlyMap<string, unknown>
}

/** `label`: the vendor whose key it needs; null for none. */
type Dependent = { readonly name: string; readonly label: string | null }

/** The announced ends that the gateway depends on, the next first. */
export function findEnds(
  sources: EndSources,
  nowMs: number,
  announced: readonly AnnouncedEnd[] = ANNOUNCED_ENDS,
): readonly EndLine[] {
  return announced
    .map(({ vendor, ends, atMs, successor, source, ending }) => {
      const dependents = dependentsOf(ending, sources)
      return {
        vendor,
        ends,
        atMs,
        daysLeft: Math.max(0, Math.ceil((atMs - nowMs) / DAY_MS)),
        isOver: nowMs >= atMs,
        successor,
        source,
        usedBy: [...new Set(dependents.map(({ name }) => name))],
        isInUse: dependents.some(({ label }) => label === null || sources.upstreams.has(label)),
      }
    })
    .filter(({ usedBy }) => usedBy.length > 0)
    .toSorted((one, other) => one.atMs - other.atMs)
}

/** Whether the gateway depends on a route or model. */
export function isUsed(ending: Ending, sources: EndSources): boolean {
  return dependentsOf(ending, sources).length > 0
}

function dependentsOf(ending: Ending, { services, tiers }: EndSources): readonly Dependent[] {
  const found = services.flatMap((service) =>
    Object.entries(service.actions).flatMap(([name, action]) =>
      ending.kind === 'route'
        ? usersOfRoute({ service, name, action }, ending)
        : namesModel(action, ending.name)
          ? [{ name: `${service.id}/${name}`, label: service.vendor?.label ?? service.id }]
          : [],
    ),
  )
  return ending.kind === 'route'
    ? found
    : [...found, ...usersInTiers(tiers, ending.name), ...usersInPrices(ending.name)]
}

type Route = Extract<Ending, { kind: 'route' }>

function usersOfRoute(
  { service, name, action }: { service: Service; name: string; action: Action },
  { baseUrl, path }: Route,
): readonly Dependent[] {
  const isOf = (vendor: Vendor | undefined): boolean => vendor?.baseUrl === baseUrl
  const own = isOf(service.vendor) ? requestsOf(action) : []
  const open =
    action.kind === 'call' && isOf(action.openSource?.vendor)
      ? [action.openSource?.request(action.example)]
      : []
  const label = service.vendor?.label ?? service.id
  const named = (endpoint?: string): string => endpoint ?? `${service.id}/${name}`
  const uses = (request: WireRequest | undefined): boolean =>
    request !== undefined && request.origin === undefined && path.test(request.path)
  return [
    ...own.filter(uses).map(() => ({ name: named(), label })),
    ...open.filter(uses).map(() => ({ name: named(), label: null })),
    ...pathsOf(action).flatMap(({ entry, input }) => [
      ...(isOf(entry.vendor ?? service.vendor) && uses(requestOrNone(action, input))
        ? [{ name: named(entry.endpoint), label: entry.vendor?.label ?? label }]
        : []),
      ...(isOf(entry.openSource?.vendor) && uses(entry.openSource?.request(input))
        ? [{ name: named(entry.endpoint), label: null }]
        : []),
    ]),
  ]
}

/** The requests of an action's example. A local action has none. */
function requestsOf(action: Action): readonly WireRequest[] {
  if (action.kind === 'call') return [action.request(action.example)]
  return action.kind === 'job'
    ? [action.launch.request(action.example), action.poll.request('x')]
    : []
}

function pathsOf(action: Action) {
  return action.kind === 'endpoint'
    ? action.endpoints.map((entry) => ({ entry, input: endpointExample(action, entry) }))
    : []
}

function requestOrNone(action: Action, input: Data): WireRequest | undefined {
  return action.kind === 'endpoint' ? action.request(input) : undefined
}

/** Whether a choice of the input is the model. Passthroughs choose paths, and `ended` lists rejected values. */
function namesModel({ kind, input }: Action, name: string): boolean {
  const text = JSON.stringify(input, (key, value: unknown) => (key === 'ended' ? undefined : value))
  return kind !== 'endpoint' && text.includes(JSON.stringify(name))
}

/** Tiers name a model with its maker, such as `openai/gpt-6-luna`. */
function usersInTiers(tiers: EndSources['tiers'], name: string): readonly Dependent[] {
  return [...tiers]
    .filter(([, models]) => models.some((model) => model === name || model.endsWith(`/${name}`)))
    .map(([tier]) => ({ name: tier, label: 'llm' }))
}

const PRICES: readonly (readonly [label: string, ReadonlyMap<string, unknown>])[] = [
  ['llmnative-a', anthropicModels],
  ['llmnative-b', openaiModels],
]

/** Calls may name any model with a price. */
function usersInPrices(name: string): readonly Dependent[] {
  return PRICES.filter(([, models]) => models.has(name)).map(([label]) => ({ name: label, label }))
}
