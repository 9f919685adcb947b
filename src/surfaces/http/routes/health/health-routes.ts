import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../db/database.ts'
import { DatabaseAway } from '../../../../errors/database-away.ts'

/** For load balancers: `/healthz` shows that the process runs, `/readyz` that it reaches its database. */
export async function healthRoutes(
  app: FastifyInstance,
  { database }: { readonly database: Database },
): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async () => {
    try {
      await database.query('select 1')
      return { ok: true }
    } catch (error) {
      throw new DatabaseAway('The database is unreachable.', error)
    }
  })
}
