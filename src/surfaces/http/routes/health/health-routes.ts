import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../db/database.ts'
import { DatabaseAway } from '../../../../errors/database-away.ts'

/** `accepted`: the hash of the own actions that a process accepted last; null for none. */
export type OwnActions = {
  readonly hash: string
  readonly accepted: string | null
  readonly agrees: boolean
}

type HealthDeps = {
  readonly database: Database
  readonly ownActions?: (() => OwnActions) | undefined
}

/** For load balancers: `/healthz` shows that the process runs, `/readyz` that it reaches its database. */
export async function healthRoutes(
  app: FastifyInstance,
  { database, ownActions }: HealthDeps,
): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async () => {
    try {
      await database.query('select 1')
      return { ok: true, ...ownActionsOf(ownActions?.()) }
    } catch (error) {
      throw new DatabaseAway('The database is unreachable.', error)
    }
  })
}

const SHOWN_DIGITS = 12

/** Nothing for a gateway without own actions. */
function ownActionsOf(state: OwnActions | undefined): object {
  if (state === undefined || (state.hash === '' && state.agrees)) return {}
  const { hash, accepted, agrees } = state
  const short = (text: string) => text.slice(0, SHOWN_DIGITS)
  return { own_actions: { hash: short(hash), accepted: short(accepted ?? ''), agrees } }
}
