import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

const OLDEST_VERSION = 150_000

/** Reachable, recent enough, and migrated: opening the database migrates it. */
export async function checkDatabase(tools: Tools): Promise<Check[]> {
  try {
    const database = await tools.database()
    const { rows } = await database.query<{ version: string; number: string; migrations: bigint; newest: string; accounts: bigint }>(
      `select current_setting('server_version') as version, current_setting('server_version_num') as number,
         (select count(*) from migrations) as migrations, (select max(name) from migrations) as newest, (select count(*) from accounts) as accounts`,
    )
    const row = rows[0]
    const kind = tools.config().databaseUrl === null ? 'built-in' : 'at DATABASE_URL'
    const version = `PostgreSQL ${row?.version ?? ''}, ${kind}`
    return [
      Number(row?.number) >= OLDEST_VERSION ? ok('database', version) : broken('database', version, 'Use PostgreSQL 15 or later.'),
      ok('migrations', `${row?.migrations ?? 0n} applied, the newest is ${row?.newest ?? 'none'}`),
    ]
  } catch (error) {
    const fix = tools.config().databaseUrl === null ? 'See "When the database is away" in docs/operating.md.' : 'Check DATABASE_URL, or unset it to use the built-in PostgreSQL under DATA_DIR.'
    return [broken('database', messageOf(error).replaceAll('\n', ' '), fix)]
  }
}
