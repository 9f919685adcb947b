import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { createDocuments } from '../../../../../composites/discover/documents.ts'
import type { CatalogHit } from './narrow.ts'

const byCatalog = new WeakMap<Published, readonly CatalogHit[]>()

/** Every action, and every endpoint of passthrough actions, in the order of the catalog. */
export function listActions(published: Published): readonly CatalogHit[] {
  let all = byCatalog.get(published)
  if (all === undefined) {
    all = createDocuments(published.services, published.laneOf).map(({ hit }) => hit)
    byCatalog.set(published, all)
  }
  return all
}
