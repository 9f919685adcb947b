/** The catalog as the live lanes honour it: what stands in for a vendor may demand more than the vendor does. */
import type { Action, Service } from '../vocabulary/define.ts'
import type { LaneOf } from './lane.ts'

export function liveServices(services: readonly Service[], laneOf: LaneOf): Service[] {
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        laneOf(service.id, name).live === 'in-house' ? demanding(action) : action,
      ]),
    ),
  }))
}

/** The action with what its open source demands besides. */
function demanding(action: Action): Action {
  const demands = action.kind === 'call' ? action.openSource?.demands : undefined
  if (demands === undefined) return action
  const { allOf = [] } = action.input as { readonly allOf?: readonly unknown[] }
  const input = {
    ...action.input,
    allOf: [...allOf, { anyOf: demands.oneOf.map((name) => ({ required: [name] })) }],
  }
  return {
    ...action,
    input,
    description: `${action.description ?? action.summary} ${demands.words}`,
  }
}
