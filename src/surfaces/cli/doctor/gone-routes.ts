import { readGoneRoutes } from '../../../calls/lanes/gone-routes.ts'
import { toRfc3339 } from '../../../lib/clock.ts'
import type { Tools } from '../command.ts'
import { ok, warning, type Check } from './check.ts'

/** Reports each route that its vendor no longer offers. `checkDatabase` reports a database that is away. */
export async function checkGoneRoutes(tools: Tools): Promise<Check[]> {
  const gone = await tools
    .database()
    .then(readGoneRoutes)
    .catch(() => null)
  if (gone === null) return []
  if (gone.length === 0)
    return [ok('gone routes', 'none: vendors offer every route that was called')]
  return gone.map(({ service, action, endpoint, lane, vendor, status, message, firstMs }) =>
    warning(
      `gone route ${service}/${action}${endpoint === '' ? '' : ` ${endpoint}`}`,
      `${vendor} (${lane}) answered ${status ?? 'nothing'}${message === null ? '' : ` "${message}"`} since ${toRfc3339(firstMs)}; the lane is not live`,
      'Look for the successor of the route in the vendor’s documentation and update the gateway. If the vendor was wrong, remove the route at /operate/vendors.',
    ),
  )
}
