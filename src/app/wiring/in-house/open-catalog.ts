import { createLanes, type Lanes, type LaneSources } from '../../../calls/lanes/lanes.ts'
import { createCatalog, type Catalog } from '../../../catalog/index.ts'
import type { InHouseSettings } from '../../settings/in-house-settings.ts'
import { priceInHouseAtZero } from './price-in-house.ts'
import { supportedHandlers, type HandlerMeans } from './supported-handlers.ts'

type CatalogDeps = {
  readonly prices: InHouseSettings['prices']
  readonly means: HandlerMeans
  readonly sources: Omit<LaneSources, 'catalog' | 'inHouse'>
}

/** The catalog with the prices of this gateway, and its lanes. */
export function openCatalog({ prices, means, sources }: CatalogDeps): {
  readonly catalog: Catalog
  readonly lanes: Lanes
} {
  const listed = createCatalog()
  const inHouse = supportedHandlers(listed, means)
  const lanes = createLanes({ ...sources, catalog: listed, inHouse })
  if (prices === 'list') return { catalog: listed, lanes }
  const catalog = createCatalog(priceInHouseAtZero(listed.services, lanes.statusOf))
  return { catalog, lanes: createLanes({ ...sources, catalog, inHouse }) }
}
