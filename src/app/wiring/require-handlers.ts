import type { Action } from '../../catalog/vocabulary/define.ts'
import type { Catalog } from '../../catalog/index.ts'
import { invariant } from '../../errors/app-error.ts'

type Handed = {
  readonly inHouse: ReadonlySet<string>
  readonly local: ReadonlySet<string>
  readonly jobs: ReadonlySet<string>
}

/** Without this check, an action without a handler would be published as live and its calls would blame a missing vendor key. */
export function requireHandlers(catalog: Pick<Catalog, 'allActions'>, handed: Handed): void {
  const missing = catalog.allActions().flatMap(({ service, name, action }) =>
    namedBy(action)
      .filter(([kind, handler]) => !handed[kind].has(handler))
      .map(([kind, handler]) => `${service.id}/${name} names ${handler} (${kind})`),
  )
  invariant(
    missing.length === 0,
    `src/app/wiring/handlers.ts registers the handlers that records name: ${missing.join(', ')}`,
  )
}

function namedBy(action: Action): readonly (readonly [keyof Handed, string])[] {
  if (action.kind === 'call')
    return action.inHouse === undefined ? [] : [['inHouse', action.inHouse]]
  if (action.kind === 'endpoint')
    return action.endpoints.flatMap(({ inHouse }) =>
      inHouse === undefined ? [] : [['inHouse', inHouse] as const],
    )
  if (action.kind === 'job')
    return Object.keys(action.inHouse?.examples ?? {}).map((name) => ['inHouse', name] as const)
  if (action.meter !== undefined) return []
  return [[action.running === undefined ? 'local' : 'jobs', action.handler]]
}
