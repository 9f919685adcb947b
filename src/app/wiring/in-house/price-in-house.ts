import type { LaneOf } from '../../../catalog/published/lane.ts'
import type { Action, JobAction, Service } from '../../../catalog/vocabulary/define.ts'
import type { MediaModels } from '../../../catalog/vocabulary/media-model.ts'
import { freeOfCharge } from '../../../catalog/vocabulary/tariff.ts'

/**
 * The services with a price of zero for the actions and media models that this machine performs.
 * Actions and models of vendors, multi-source actions, sessions, browser time and passthroughs keep
 * their prices.
 */
export function priceInHouseAtZero(services: readonly Service[], laneOf: LaneOf): Service[] {
  return services.map((service) => ({
    ...service,
    ...(service.models === undefined ? {} : { models: modelsAtZero(service.models) }),
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        action.kind === 'job'
          ? ownInputAtZero(action)
          : isOfThisMachine(service, action) && laneOf(service.id, name).live === 'in-house'
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

/** The input that only this machine performs costs nothing. */
function ownInputAtZero(action: JobAction): JobAction {
  const { inHouse } = action
  if (inHouse === undefined) return action
  return {
    ...action,
    priceFor: (input) =>
      inHouse.handlerFor(input) === undefined ? action.priceFor(input) : freeOfCharge,
  }
}

function modelsAtZero(models: MediaModels): MediaModels {
  const all = models.all.map((model) =>
    model.inHouse === undefined ? model : { ...model, rates: [{ rate: 0n }] },
  )
  const byKey = new Map(all.map((model) => [model.key, model]))
  return { ...models, all, find: (key) => byKey.get(key) ?? models.find(key) }
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
