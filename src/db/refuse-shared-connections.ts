import { DatabaseAway } from '../errors/database-away.ts'
import { StartError } from '../errors/start-error.ts'
import type { Database } from './database.ts'
import { cut, within } from './session.ts'

const ASK = 'select pg_backend_pid() as pid'

const ANSWER_WITHIN_MS = 3_000

function isAway(cause: unknown): never {
  throw new DatabaseAway('The database cannot be reached at the moment.', cause)
}

/**
 * Throws StartError when a pooler between here and PostgreSQL changes server connections between transactions: prepared
 * statements and notifications are lost there, in a way that shows only later. Two connections, one of them in a
 * transaction, never have the same server process unless somebody shares it out, and neither changes its own.
 */
export async function refuseSharedConnections(
  database: Pick<Database, 'connect' | 'transaction'>,
): Promise<void> {
  const client = database.connect('start')
  try {
    await client.connect().catch(isAway)
    const pid = async (): Promise<unknown> =>
      (
        await within(ANSWER_WITHIN_MS, client.query<{ pid: number }>(ASK), () => cut(client)).catch(
          isAway,
        )
      ).rows[0]?.pid
    const first = await pid()
    await database.transaction(async ({ query }) => {
      const other = (await query<{ pid: number }>(ASK)).rows[0]?.pid
      // In this order: a pooler with a single server connection would answer the second question never.
      if (other === first || (await pid()) !== first)
        throw new StartError(
          'DATABASE_URL leads to a pooler that changes connections between transactions, which loses prepared statements and notifications. Set it to session mode (pgbouncer: pool_mode = session), or name PostgreSQL itself.',
        )
    })
  } finally {
    await client.end().catch(() => {})
  }
}
