/** GET /api/run: every service and action with its price and lane. */
import type { Action, Service } from '../vocabulary/define.ts'
import { leastCharge } from '../prices/price.ts'
import { runWhole } from '../../lib/background/sliced.ts'
import { priceIdOf } from '../prices/price-id.ts'
import type { LaneOf } from './lane.ts'
import { centsNumber, priceBlock } from './price-block.ts'
import { requiredParams } from './required-params.ts'

/** The source of everything that is published. `publicUrl` has no trailing slash. */
export type Published = {
  readonly services: readonly Service[]
  readonly laneOf: LaneOf
  readonly publicUrl: string
}

export function actionUrl(publicUrl: string, service: string, action: string): string {
  return `${publicUrl}/api/run/${service}/${action}`
}

export const catalogIndex = (published: Published) => runWhole(catalogIndexSteps(published))

/** The index, one action after another. */
export function* catalogIndexSteps(published: Published) {
  const services = []
  for (const service of published.services) {
    const actions = []
    for (const [name, action] of Object.entries(service.actions)) {
      actions.push(actionLine(published, service, name, action))
      yield undefined
    }
    const { id, title, category } = service
    services.push({ service: id, title, category, actions })
  }
  return {
    ok: true,
    call: `POST ${published.publicUrl}/api/run/{service}/{action}`,
    describe: `GET ${published.publicUrl}/api/run/{service}/{action}`,
    service_count: services.length,
    action_count: services.reduce((count, { actions }) => count + actions.length, 0),
    services,
  }
}

function actionLine(
  { laneOf, publicUrl }: Published,
  service: Service,
  name: string,
  action: Action,
) {
  const { live, lanes } = laneOf(service.id, name)
  return {
    action: name,
    endpoint: actionUrl(publicUrl, service.id, name),
    kind: action.kind,
    title: action.title,
    summary: action.summary,
    price_cents: centsNumber(leastCharge(action)),
    price: priceBlock(action),
    price_id: priceIdOf({ service, action }),
    ...requiredParams(action),
    ...(action.kind === 'endpoint' ? { endpoint_count: action.endpoints.length } : {}),
    live,
    lanes,
  }
}
