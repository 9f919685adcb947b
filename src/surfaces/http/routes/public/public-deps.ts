import type { Catalog } from '../../../../catalog/index.ts'
import { liveServices, withNotes } from '../../../../catalog/published/live-services.ts'
import type { LaneOf } from '../../../../catalog/published/lane.ts'
import type { Published } from '../../../../catalog/published/catalog-index.ts'
import type { Directory } from '../../../../llm/lists/directory.ts'
import type { HealthReader } from '../../../../history/health-reader.ts'
import type { Service } from '../../../../catalog/vocabulary/define.ts'
import type { Discover } from '../../../../composites/discover/create-discover.ts'
import type { WarmUp } from '../../../../lib/background/warm-up.ts'

export type PublicDeps = {
  readonly catalog: Catalog
  readonly laneOf: LaneOf
  /** Increases when lanes change: stored documents are rendered again. Without it they never change. */
  readonly revision?: () => number
  /** The address of this gateway for callers. */
  readonly publicUrl: string
  readonly discover: Discover
  /** Takes the builds of search indexes. */
  readonly warmUp?: WarmUp
  /** The language models of the router; undefined without a router. */
  readonly directory?: Directory | undefined
  /** How calls of this gateway ended; undefined without a database. */
  readonly readHealth?: HealthReader
}

export function publishedOf({ catalog, laneOf, publicUrl }: PublicDeps): Published {
  let since: readonly Service[] | undefined
  let services: readonly Service[] = []
  return {
    // Those of the present catalog, which the operator may replace.
    get services() {
      if (since === catalog.services) return services
      since = catalog.services
      services = withNotes(liveServices(since, laneOf), laneOf)
      return services
    },
    laneOf,
    publicUrl: publicUrl.replace(/\/+$/, ''),
  }
}
