import { DatabaseAway } from '../errors/database-away.ts'
import { StartError } from '../errors/start-error.ts'
import type { Database } from './database.ts'
import { cutConnection, withTimeout } from './session.ts'

const READ_PID = 'select pg_backend_pid() as pid'

const TIMEOUT_MS = 3_000

function throwAway(cause: unknown): never {
  throw new DatabaseAway('The database cannot be reached at the moment.', cause)
}

/**
 * Throws StartError when a pooler changes server connections between transactions, which loses
 * prepared statements and notifications. Without such a pooler, two connections have different
 * server processes, and each keeps its own.
 */
export async function refuseSharedConnections(
  database: Pick<Database, 'connect' | 'transaction'>,
): Promise<void> {
  const client = database.connect('start')
  try {
    await client.connect().catch(throwAway)
    const pid = async (): Promise<unknown> =>
      (
        await withTimeout(TIMEOUT_MS, client.query<{ pid: number }>(READ_PID), () =>
          cutConnection(client),
        ).catch(throwAway)
      ).rows[0]?.pid
    const first = await pid()
    await database.transaction(async ({ query }) => {
      const other = (await query<{ pid: number }>(READ_PID)).rows[0]?.pid
      // In this order: a pooler with one server connection would never answer the second query.
      if (other === first || (await pid()) !== first)
        throw new StartError(
          'DATABASE_URL leads to a pooler that changes connections between transactions, which loses prepared statements and notifications. Set it to session mode (pgbouncer: pool_mode = session), or name PostgreSQL itself.',
        )
    })
  } finally {
    await client.end().catch(() => {})
  }
}
