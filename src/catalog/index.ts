/** Finds actions by name. */
import { AppError } from '../errors/app-error.ts'
import type { Action, Service } from './vocabulary/define.ts'
import { services } from '../vendors/index.ts'
import { suggest } from './validate/suggest.ts'

export type Entry = {
  readonly service: Service
  /** The name of the action within its service. */
  readonly name: string
  readonly action: Action
}

export type Catalog = {
  readonly services: readonly Service[]
  /**
   * Throws AppError unknown_service or unknown_action, with suggestions in `details.suggestions`:
   * up to three near names, or for an action without any, up to ten actions of its service.
   */
  readonly findAction: (serviceId: string, actionName: string) => Entry
  /** Every action in the order of the services. Returns the same array each time. */
  readonly allActions: () => readonly Entry[]
}

export function createCatalog(list: readonly Service[] = services): Catalog {
  const byService = new Map(
    list.map((service) => [
      service.id,
      new Map(entriesOf(service).map((entry) => [entry.name, entry])),
    ]),
  )
  const all = [...byService.values()].flatMap((entries) => [...entries.values()])
  return {
    services: list,
    allActions: () => all,
    findAction: (serviceId, actionName) => {
      const entries = byService.get(serviceId)
      if (entries === undefined)
        throw unknownService(serviceId, [...byService.keys()], elsewhereOf(serviceId, actionName))
      const entry = entries.get(actionName)
      if (entry === undefined)
        throw unknownAction(
          serviceId,
          actionName,
          [...entries.keys()],
          elsewhereOf(serviceId, actionName),
        )
      return entry
    },
  }

  /** Actions of this name in other services. */
  function elsewhereOf(serviceId: string, actionName: string): string[] {
    return all
      .filter(({ service, name }) => name === actionName && service.id !== serviceId)
      .map(({ service, name }) => `${service.id}/${name}`)
  }
}

function entriesOf(service: Service): Entry[] {
  return Object.entries(service.actions).map(([name, action]) => ({ service, name, action }))
}

const MOST_SUGGESTIONS = 3
/** A service with few actions names them all. */
const MOST_LISTED = 10

/** Suggests the nearest services, or else actions of the same name in other services. */
function unknownService(
  serviceId: string,
  known: readonly string[],
  elsewhere: readonly string[],
): AppError {
  const near = suggest(serviceId, known)
  return unknown(
    'unknown_service',
    `Unknown service "${truncate(serviceId)}".`,
    (near.length > 0 ? near : elsewhere).slice(0, MOST_SUGGESTIONS),
  )
}

/** Suggests the nearest actions of the service, then actions of the same name in other services, or else lists the actions of the service. */
function unknownAction(
  serviceId: string,
  actionName: string,
  own: readonly string[],
  elsewhere: readonly string[],
): AppError {
  const qualify = (name: string) => `${serviceId}/${name}`
  const message = `Service "${serviceId}" has no action named "${truncate(actionName)}".`
  const near = [...suggest(actionName, own).map(qualify), ...elsewhere]
  if (near.length > 0) return unknown('unknown_action', message, near.slice(0, MOST_SUGGESTIONS))
  const suggestions = own.slice(0, MOST_LISTED).map(qualify)
  return new AppError('unknown_action', message, {
    fix: `Its actions are ${own.slice(0, MOST_LISTED).join(', ')}${own.length > MOST_LISTED ? ' and others' : ''}. GET /api/run lists all actions.`,
    details: { suggestions },
  })
}

function unknown(
  code: 'unknown_service' | 'unknown_action',
  message: string,
  suggestions: readonly string[],
): AppError {
  if (suggestions.length === 0) return new AppError(code, message, { details: { suggestions } })
  const names = suggestions.map((suggestion) => `"${suggestion}"`).join(', ')
  return new AppError(code, message, {
    fix: `Did you mean ${names}? GET /api/run lists all actions.`,
    details: { suggestions },
  })
}

function truncate(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}
