import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { documentSteps } from '../../../../../composites/discover/documents.ts'
import { createSliced, type Sliced } from '../../../../../lib/background/sliced.ts'
import type { CatalogHit } from './narrow.ts'

const byCatalog = new WeakMap<Published['services'], Sliced<readonly CatalogHit[]>>()

/** Every action, and every endpoint of passthrough actions, in the order of the catalog. */
export function listActions(published: Published): readonly CatalogHit[] {
  return slicedOf(published).whole()
}

/** Builds the list in the background. */
export async function prepareActions(published: Published): Promise<void> {
  await slicedOf(published).inSlices()
}

function slicedOf(published: Published): Sliced<readonly CatalogHit[]> {
  const { services, laneOf } = published
  let all = byCatalog.get(services)
  if (all === undefined) {
    all = createSliced(function* () {
      const documents = yield* documentSteps(services, laneOf)
      return documents.map(({ hit }) => hit)
    })
    byCatalog.set(services, all)
  }
  return all
}
