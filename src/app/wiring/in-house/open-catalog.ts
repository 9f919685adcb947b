import { createLanes, type Lanes } from '../../../calls/lanes/lanes.ts'
import type { LaneSources } from '../../../calls/lanes/lane-parts.ts'
import { createCatalog, type Catalog } from '../../../catalog/index.ts'
import { NO_RULES, priceServices, type PriceRules } from '../../../catalog/prices/price-rules.ts'
import type { LaneOf } from '../../../catalog/published/lane.ts'
import type { Action, Service } from '../../../catalog/vocabulary/define.ts'
import { services as allServices } from '../../../vendors/index.ts'
import type { CountCap } from '../../settings/count-caps.ts'
import type { InHouseSettings } from '../../settings/in-house-settings.ts'
import { capCounts } from '../cap-counts.ts'
import { priceInHouseAtZero } from './price-in-house.ts'
import { supportedHandlers, type HandlerMeans } from './supported-handlers.ts'

type CatalogDeps = {
  /** The operator's own services. */
  readonly own?: readonly Service[]
  /** The operator's prices at this time. */
  readonly rules?: PriceRules
  readonly nowMs?: number
  readonly prices: InHouseSettings['prices']
  readonly countCaps?: readonly CountCap[]
  readonly means: HandlerMeans
  readonly sources: Omit<LaneSources, 'catalog' | 'inHouse'>
}

/** The catalog with the prices, caps and examples of this gateway, and its lanes. Throws StartError for invalid caps. */
export function openCatalog({
  own = [],
  rules = NO_RULES,
  nowMs = 0,
  prices,
  countCaps = [],
  means,
  sources,
}: CatalogDeps): {
  readonly catalog: Catalog
  readonly lanes: Lanes
} {
  const listed = createCatalog(capCounts([...allServices, ...own], countCaps))
  const inHouse = supportedHandlers(listed, means)
  const { statusOf } = createLanes({ ...sources, catalog: listed, inHouse })
  const services = withOwnExamples(listed.services, statusOf, inHouse)
  const priced = prices === 'list' ? services : priceInHouseAtZero(services, statusOf)
  const catalog = createCatalog(priceServices(priced, rules, nowMs))
  return { catalog, lanes: createLanes({ ...sources, catalog, inHouse }) }
}

/** The services with examples that work: without the vendor's key, a job of this machine. */
function withOwnExamples(
  services: readonly Service[],
  laneOf: LaneOf,
  inHouse: ReadonlySet<string>,
): Service[] {
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        laneOf(service.id, name).live === 'in-house' ? withOwnExample(action, inHouse) : action,
      ]),
    ),
  }))
}

function withOwnExample(action: Action, inHouse: ReadonlySet<string>): Action {
  if (action.kind !== 'job' || action.inHouse === undefined) return action
  const [, example = action.example] =
    Object.entries(action.inHouse.examples).find(([handler]) => inHouse.has(handler)) ?? []
  return { ...action, example }
}
