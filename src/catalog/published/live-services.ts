/**
 * The catalog as the live lanes serve it: the replacement of a vendor may require more parameters,
 * offer only its own models, and have limits that its description names.
 */
import type { Action, Service } from '../vocabulary/define.ts'
import type { LaneOf } from './lane.ts'

export function liveServices(services: readonly Service[], laneOf: LaneOf): Service[] {
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        laneOf(service.id, name).live === 'in-house'
          ? action.kind === 'job'
            ? nameModels(action, liveModels(service, name, laneOf))
            : addDemands(action)
          : action,
      ]),
    ),
  }))
}

/** Adds the notes about live lanes to the descriptions. */
export function withNotes(services: readonly Service[], laneOf: LaneOf): Service[] {
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => {
        const { note } = laneOf(service.id, name)
        const known = action.description === undefined ? '' : `${action.description} `
        return [name, note === undefined ? action : { ...action, description: known + note }]
      }),
    ),
  }))
}

/** Adds the demands of the action's open source. */
function addDemands(action: Action): Action {
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

/** The keys of the media models that work on this gateway. */
export function liveModels({ id, models }: Service, name: string, laneOf: LaneOf): string[] {
  return (models?.all ?? [])
    .map(({ key }) => key)
    .filter((key) => laneOf(id, name, key).live !== null)
}

function nameModels(action: Action, keys: readonly string[]): Action {
  const words = `On this gateway only these models work: ${keys.join(', ')}.`
  return { ...action, summary: `${action.summary} ${words}` }
}
