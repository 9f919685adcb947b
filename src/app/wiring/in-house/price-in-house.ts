import type { LaneOf } from '../../../catalog/published/lane.ts'
import type { Action, Service } from '../../../catalog/vocabulary/define.ts'
import { freeOfCharge } from '../../../catalog/vocabulary/tariff.ts'

/**
 * The services with a price of zero for the actions that this machine performs. Actions of vendors,
 * multi-source actions, sessions, browser time and passthroughs keep their prices.
 */
export function priceInHouseAtZero(services: readonly Service[], laneOf: LaneOf): Service[] {
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        isOfThisMachine(service, action) && laneOf(service.id, name).live === 'in-house'
          ? atZero(action)
          : action,
      ]),
    ),
  }))
}

function isOfThisMachine({ id }: Service, action: Action): boolean {
  if (action.price.kind === 'free') return false
  if (action.kind === 'call') return action.paidTime === undefined
  return (
    action.kind === 'local' &&
    id !== 'core' &&
    !action.atVendor &&
    action.uses.length === 0 &&
    action.running === undefined &&
    action.meter === undefined
  )
}

function atZero(action: Action): Action {
  return {
    ...action,
    price: freeOfCharge,
    priceFor: () => freeOfCharge,
    leastCharge: undefined,
    priceSource: 'The operator of this gateway charges nothing for actions of its own machine.',
  }
}
