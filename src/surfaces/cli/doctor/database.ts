import { MOST_FOLLOWED_MS } from '../../../db/agree-on-time.ts'
import { systemClock, type Clock } from '../../../lib/clock.ts'
import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

const OLDEST_VERSION = 150_000
// A process opens this many at most: the pool's, and one each for the ledger, for keys, jobs and the limits of vendors.
const CONNECTIONS_OF_A_PROCESS = 16
// Far more than the question takes.
const MOST_ASTRAY_MS = 10_000

/** Reachable, recent enough, and migrated: opening the database migrates it. */
export async function checkDatabase(
  tools: Tools,
  machineNow: Clock = systemClock,
): Promise<Check[]> {
  try {
    const database = await tools.database()
    const { rows } = await database.query<{
      version: string
      number: string
      migrations: bigint
      newest: string
      accounts: bigint
      connections: number
      now_ms: number
    }>(
      `select current_setting('server_version') as version, current_setting('server_version_num') as number,
         (select count(*) from migrations) as migrations, (select max(name) from migrations) as newest, (select count(*) from accounts) as accounts,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
         (select least(current_setting('max_connections')::integer, nullif(rolconnlimit, -1), nullif(datconnlimit, -1))
          from pg_roles, pg_database where rolname = current_user and datname = current_database()) as connections`,
    )
    const row = rows[0]
    const kind = tools.config().databaseUrl === null ? 'built-in' : 'at DATABASE_URL'
    const version = `PostgreSQL ${row?.version ?? ''}, ${kind}`
    const connections = row?.connections ?? 0
    return [
      Number(row?.number) < OLDEST_VERSION
        ? broken('database', version, 'Use PostgreSQL 15 or later.')
        : connections < CONNECTIONS_OF_A_PROCESS
          ? broken(
              'database',
              `${version}, ${connections} connections allowed`,
              `Each gateway or worker process opens up to ${CONNECTIONS_OF_A_PROCESS}: raise max_connections, or the limit of the role or the database.`,
            )
          : ok('database', version),
      ok('migrations', `${row?.migrations ?? 0n} applied, the newest is ${row?.newest ?? 'none'}`),
      clockOf(machineNow() - (row?.now_ms ?? 0), tools.now() - (row?.now_ms ?? 0)),
    ]
  } catch (error) {
    const fix =
      tools.config().databaseUrl === null
        ? 'See "Database outages" in docs/operating.md.'
        : 'Check DATABASE_URL, or unset it to use the built-in PostgreSQL under DATA_DIR.'
    return [broken('database', messageOf(error).replaceAll('\n', ' '), fix)]
  }
}

/** Processes and commands go by the time of the database, unless it jumped while processes run. */
function clockOf(machineAheadMs: number, installationAheadMs: number): Check {
  if (Math.abs(installationAheadMs) > MOST_FOLLOWED_MS)
    return broken(
      'clock',
      `the time of the running processes is ${seconds(installationAheadMs)} that of the database, whose clock jumped`,
      'Set the clock of the database by NTP. If it is right now, stop all gateway and worker processes and start them again.',
    )
  if (Math.abs(machineAheadMs) > MOST_ASTRAY_MS)
    return broken(
      'clock',
      `${seconds(machineAheadMs)} that of the database`,
      'Set the clocks of all machines by NTP, the database’s first: all processes go by it.',
    )
  return ok('clock', 'in step with that of the database')
}

function seconds(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
