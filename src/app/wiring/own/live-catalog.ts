import type { Lanes } from '../../../calls/lanes/lanes.ts'
import type { Catalog } from '../../../catalog/index.ts'
import type { Discover } from '../../../composites/discover/create-discover.ts'

/** The records with the operator's files and the settings of this process applied. */
export type Generation = {
  readonly catalog: Catalog
  readonly lanes: Lanes
  readonly discover: Discover
}

export type LiveCatalog = Generation & {
  /** From now on calls find the actions of `next`. A call keeps the entry that it found. */
  replace(next: Generation): void
  /** Increases with each replacement. */
  revision(): number
}

export function createLiveCatalog(first: Generation): LiveCatalog {
  let current = first
  let revision = 0
  return {
    catalog: {
      get services() {
        return current.catalog.services
      },
      findAction: (service, action) => current.catalog.findAction(service, action),
      allActions: () => current.catalog.allActions(),
    },
    lanes: {
      laneFor: (entry, mode, input) => current.lanes.laneFor(entry, mode, input),
      boughtLane: (entry, input) => current.lanes.boughtLane(entry, input),
      statusOf: (service, action, endpoint) => current.lanes.statusOf(service, action, endpoint),
      targetOf: (service) => current.lanes.targetOf(service),
      observe: (entry, lane, input, wire, sent) =>
        current.lanes.observe(entry, lane, input, wire, sent),
    },
    discover: {
      prepare: () => current.discover.prepare(),
      search: (query, limit) => current.discover.search(query, limit),
      nearest: (query, limit) => current.discover.nearest(query, limit),
      get size() {
        return current.discover.size
      },
    },
    replace(next) {
      current = next
      revision += 1
    },
    revision: () => revision,
  }
}
