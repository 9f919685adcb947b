import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  connectDatabase,
  type Database,
  type ConnectOptions,
  type DatabaseTarget,
} from '../../db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../db/embedded-postgres.ts'
import { hostsOf } from '../../db/hosts.ts'
import { superviseEmbeddedPostgres } from '../../db/supervise-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { refuseSharedConnections } from '../../db/refuse-shared-connections.ts'
import { StartError } from '../../errors/start-error.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { Config } from '../settings/config.ts'
import { SCHEMA } from './schema.ts'
import { refusalOf } from '../processes/database-start-error.ts'
import { logRestarts } from '../monitoring/log-restarts.ts'
import {
  startWithoutWaiting,
  waitForDatabase,
  type StartingDatabase,
} from '../processes/wait-for-database.ts'

export type OpenDatabase = StartingDatabase & {
  /** The same, but it never waits for a database that is away. */
  readonly direct: Database
  readonly kind: 'embedded' | 'external'
  close(): Promise<void>
}

// Migrations rewrite tables, and commands read the whole history.
const LONGEST_MS = 24 * HOUR_MS

/**
 * Connects to DATABASE_URL, or starts or joins the embedded PostgreSQL under DATA_DIR, and migrates.
 * With a `logger`, for long-lived processes, it waits for a database that is away and restarts the
 * embedded one whenever it ends.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  logger?: Logger,
): Promise<OpenDatabase> {
  const { target, stop } = await findServer(config, logger)
  const direct = connect(
    target,
    logger === undefined ? { queryMs: LONGEST_MS, transactionMs: LONGEST_MS } : {},
  )
  const isExternal = typeof target === 'string'
  const starting =
    logger === undefined
      ? startWithoutWaiting(direct)
      : waitForDatabase({
          database: direct,
          log: logger,
          waitsForPrimary: isExternal && hostsOf(target).length > 1,
        })
  const close = async (): Promise<void> => {
    await direct.close()
    await stop()
  }
  try {
    if (isExternal) await starting.again(() => refuseSharedConnections(direct))
    await starting.again(() => migrate(direct.withDeadline(LONGEST_MS), SCHEMA))
  } catch (error) {
    // A command whose server still runs would never end.
    await close()
    throw error
  }
  return { ...starting, direct, kind: isExternal ? 'external' : 'embedded', close }
}

function connect(target: DatabaseTarget, options: ConnectOptions): Database {
  try {
    return connectDatabase(target, options)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function findServer(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  logger: Logger | undefined,
): Promise<{ readonly target: DatabaseTarget; stop(): Promise<void> }> {
  if (databaseUrl !== null) return { target: databaseUrl, stop: async () => {} }
  const folder = postgresFolder(dataDir)
  await makeDataFolder(dataDir, folder)
  const server = await startEmbedded(folder, logger)
  return { target: server.address, stop: () => server.stop() }
}

/** For commands that inspect a gateway: with a mistyped DATA_DIR, a new and empty database would answer. */
export async function refuseMissingDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (databaseUrl !== null) return
  const isMissing = await access(postgresFolder(dataDir)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  if (isMissing)
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the gateway, or start the gateway once.`,
    )
}

function postgresFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

// A folder can allow writing and still hold no files, as in /proc, so this writes one.
async function makeDataFolder(path: string, inside: string): Promise<void> {
  try {
    await makeFolders(inside)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder cannot be used: ${(error as Error).message}. Make it writable for this user, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

function startEmbedded(folder: string, logger: Logger | undefined): Promise<EmbeddedPostgres> {
  return logger === undefined
    ? startEmbeddedPostgres({ folder })
    : superviseEmbeddedPostgres({ folder, ...logRestarts(logger) })
}
