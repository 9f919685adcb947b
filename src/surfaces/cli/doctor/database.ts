import { MOST_FOLLOWED_MS } from '../../../db/agree-on-time.ts'
import { readDatabaseFacts } from '../../../db/database-facts.ts'
import { systemClock, type Clock } from '../../../lib/clock.ts'
import type { Tools } from '../command.ts'
import { broken, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

const OLDEST_VERSION = 150_000
// The pool's connections, and one each for the ledger, keys, jobs and the limits of vendors.
const CONNECTIONS_OF_A_PROCESS = 16
// Far longer than a query takes.
const MOST_CLOCK_SKEW_MS = 10_000

/** Opens the database, which migrates it, and checks its version, its connection limit and the clocks. */
export async function checkDatabase(
  tools: Tools,
  machineNow: Clock = systemClock,
): Promise<Check[]> {
  try {
    const facts = await readDatabaseFacts(await tools.database())
    const kind = tools.config().databaseUrl === null ? 'built-in' : 'at DATABASE_URL'
    const version = `PostgreSQL ${facts.version}, ${kind}`
    return [
      facts.versionNumber < OLDEST_VERSION
        ? broken('database', version, 'Use PostgreSQL 15 or later.')
        : facts.connections < CONNECTIONS_OF_A_PROCESS
          ? broken(
              'database',
              `${version}, ${facts.connections} connections allowed`,
              `Each gateway or worker process opens up to ${CONNECTIONS_OF_A_PROCESS} connections. Raise max_connections, or the limit of the role or the database.`,
            )
          : ok('database', version),
      ok('migrations', `${facts.migrations} applied, newest: ${facts.newestMigration ?? 'none'}`),
      checkClocks(machineNow() - facts.nowMs, tools.now() - facts.nowMs),
    ]
  } catch (error) {
    const fix =
      tools.config().databaseUrl === null
        ? 'See "Database outages" in docs/operating.md.'
        : 'Check DATABASE_URL, or unset it to use the built-in PostgreSQL under DATA_DIR.'
    return [broken('database', messageOf(error).replaceAll('\n', ' '), fix)]
  }
}

/** Processes and commands follow the database's clock, unless it jumped while processes run. */
function checkClocks(machineAheadMs: number, installationAheadMs: number): Check {
  if (Math.abs(installationAheadMs) > MOST_FOLLOWED_MS)
    return broken(
      'clock',
      `the running processes are ${formatSkew(installationAheadMs)} the database, whose clock jumped`,
      'Set the clock of the database by NTP. If it is right now, stop all gateway and worker processes and start them again.',
    )
  if (Math.abs(machineAheadMs) > MOST_CLOCK_SKEW_MS)
    return broken(
      'clock',
      `this machine is ${formatSkew(machineAheadMs)} the database`,
      'Set the clocks of all machines by NTP, starting with the database, whose time all processes use.',
    )
  return ok('clock', 'in sync with the database')
}

function formatSkew(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
