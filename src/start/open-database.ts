import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { writeAddressesAsKept } from '../accounts/write-addresses-as-kept.ts'
import { connectDatabase, type Database } from '../db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded-postgres.ts'
import { keepEmbeddedPostgres } from '../db/keep-postgres.ts'
import { migrate, type MigrationSteps } from '../db/migrate.ts'
import { refuseSharedConnections } from '../db/refuse-shared-connections.ts'
import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'
import { makeFolders } from '../lib/make-folders.ts'
import type { Config } from './config.ts'
import { tellRestarts } from './tell-restarts.ts'

export type OpenDatabase = { readonly database: Database; readonly kind: 'embedded' | 'external'; close(): Promise<void> }

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const STEPS: MigrationSteps = { '0100-people.sql': writeAddressesAsKept }

/**
 * Connects to DATABASE_URL, or starts (or joins) the embedded PostgreSQL under DATA_DIR, and migrates. With a `logger` the
 * embedded one is started again whenever it ends: for processes that live long.
 */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>, logger?: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const database = connectDatabase(config.databaseUrl)
    try {
      await reach(database)
      await refuseSharedConnections(database)
      await migrate(database, MIGRATIONS, STEPS)
    } catch (error) {
      await database.close()
      throw refusalOf(error)
    }
    return { database, kind: 'external', close: () => database.close() }
  }
  const folder = postgresFolder(config.dataDir)
  await makeDataFolder(config.dataDir, folder)
  const server = await startEmbedded(folder, logger)
  const database = connectDatabase(server.address)
  const close = async (): Promise<void> => {
    await database.close()
    await server.stop()
  }
  try {
    await migrate(database, MIGRATIONS, STEPS)
  } catch (error) {
    // A command whose server ran on would never end.
    await close()
    throw error
  }
  return { database, kind: 'embedded', close }
}

/** For whoever asks about a gateway that has run: where DATA_DIR is mistyped, a new and empty database would answer. */
export async function refuseMissingDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (databaseUrl !== null) return
  const isMissing = await access(postgresFolder(dataDir)).then(() => false, (error: NodeJS.ErrnoException) => error.code === 'ENOENT')
  if (isMissing) throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the gateway has it, or start the gateway once.`)
}

function postgresFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

// A folder can take all rights and still hold nothing, as those in /proc: what will lie in it tells.
async function makeDataFolder(path: string, inside: string): Promise<void> {
  try {
    await makeFolders(inside)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`The data folder cannot be used: ${reasonOf(error)}. Let this user write there, or set DATA_DIR to another folder.`, { cause: error })
  }
}

function startEmbedded(folder: string, logger: Logger | undefined): Promise<EmbeddedPostgres> {
  return logger === undefined ? startEmbeddedPostgres({ folder }) : keepEmbeddedPostgres({ folder, ...tellRestarts(logger) })
}

async function reach(database: Database): Promise<void> {
  const { rows } = await database.query<{ read_only: string }>("select current_setting('transaction_read_only') as read_only")
  if (rows[0]?.read_only === 'on') throw new StartError('The database at DATABASE_URL takes no writes: it is a standby, or set to read-only. Name the primary.')
}

// Without a right in any schema a role is not refused: no schema is found for it.
const LACKS_A_RIGHT = ['42501', '3F000']
// As OpenSSL names them for Node.js; what Node.js checks itself begins with ERR_TLS_CERT.
const OF_THE_CERTIFICATE = /^(ERR_TLS_CERT_.+|.*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

function refusalOf(error: unknown): unknown {
  if (error instanceof StartError) return error
  const reason = reasonOf(error)
  if ((error as { syscall?: unknown }).syscall === 'open') return new StartError(`A file that DATABASE_URL names cannot be read: ${reason}.`, { cause: error })
  if (LACKS_A_RIGHT.includes(codeOf(error))) return new StartError(`The user of DATABASE_URL lacks a right: ${reason}. Make it the owner of its database: alter database <name> owner to <user>.`, { cause: error })
  // Behind the semicolon Node.js advises how to start it.
  if (OF_THE_CERTIFICATE.test(codeOf((error as Error).cause))) return new StartError(`The certificate of the database at DATABASE_URL is not accepted: ${reason.split(';')[0]}. Name the file of the authority that it is of with sslrootcert, and the server by the name in it.`, { cause: error })
  if (error instanceof AppError) return new StartError(`The database at DATABASE_URL cannot be reached: ${reason}. Check address, user, password and name, and that PostgreSQL is running.`, { cause: error })
  return error
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
