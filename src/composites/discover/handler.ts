import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import type { Discover } from './create-discover.ts'

/** `core/discover`. An answer without hits is a success. */
export function discoverHandler(discover: Discover): LocalHandler {
  return async ({ query, limit }) => {
    await discover.prepare()
    return done(discover.search(String(query), Number(limit)))
  }
}
