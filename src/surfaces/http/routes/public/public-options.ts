import type { Catalog } from '../../../../catalog/index.ts'
import { liveServices } from '../../../../catalog/published/live-services.ts'
import type { LaneOf } from '../../../../catalog/published/lane.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { Discover } from '../../../../composites/discover/create-discover.ts'

/** What the public routes are made of. Lanes are read once: a gateway's lanes are fixed while it runs. */
export type PublicOptions = {
  readonly catalog: Catalog
  readonly laneOf: LaneOf
  /** Address at which callers reach this gateway. */
  readonly publicUrl: string
  readonly discover: Discover
}

export function publishedOf({ catalog, laneOf, publicUrl }: PublicOptions): Published {
  return {
    services: liveServices(catalog.services, laneOf),
    laneOf,
    publicUrl: publicUrl.replace(/\/+$/, ''),
  }
}
