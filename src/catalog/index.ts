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
   * Throws AppError unknown_service or unknown_action, with up to three suggestions in
   * `details.suggestions`.
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
      if (entries === undefined) throw unknownService(serviceId, [...byService.keys()])
      const entry = entries.get(actionName)
      if (entry === undefined) throw unknownAction(serviceId, actionName, all)
      return entry
    },
  }
}

function entriesOf(service: Service): Entry[] {
  return Object.entries(service.actions).map(([name, action]) => ({ service, name, action }))
}

function unknownService(serviceId: string, known: readonly string[]): AppError {
  return unknown(
    'unknown_service',
    `Unknown service "${truncate(serviceId)}".`,
    suggest(serviceId, known),
  )
}

/** Suggests the nearest actions of the service, then actions of the same name in other services. */
function unknownAction(serviceId: string, actionName: string, all: readonly Entry[]): AppError {
  const own = all.filter(({ service }) => service.id === serviceId).map(({ name }) => name)
  const elsewhere = all.filter(
    ({ service, name }) => name === actionName && service.id !== serviceId,
  )
  const suggestions = [
    ...suggest(actionName, own).map((name) => `${serviceId}/${name}`),
    ...elsewhere.map(({ service, name }) => `${service.id}/${name}`),
  ]
  return unknown(
    'unknown_action',
    `Service "${serviceId}" has no action names "${truncate(actionName)}".`,
    suggestions.slice(0, 3),
  )
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
