import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectDatabase, type Database } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import { StartError } from '../errors/start-error.ts'
import type { Config } from './config.ts'

export type OpenDatabase = { readonly database: Database; readonly kind: 'embedded' | 'external'; close(): Promise<void> }

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Connects to DATABASE_URL, or starts (or joins) the embedded PostgreSQL under DATA_DIR, and migrates. */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const database = connectDatabase(config.databaseUrl)
    await reach(database)
    await migrate(database, MIGRATIONS)
    return { database, kind: 'external', close: () => database.close() }
  }
  makeFolder(config.dataDir)
  const server = await startEmbeddedPostgres({ folder: join(config.dataDir, 'postgres') })
  const database = connectDatabase(server.address)
  await migrate(database, MIGRATIONS)
  return {
    database,
    kind: 'embedded',
    async close() {
      await database.close()
      await server.stop()
    },
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`The data folder cannot be used: ${reasonOf(error)}. Let this user write there, or set DATA_DIR to another folder.`, { cause: error })
  }
}

async function reach(database: Database): Promise<void> {
  try {
    await database.query('select 1')
  } catch (error) {
    await database.close()
    throw new StartError(`The database at DATABASE_URL cannot be reached: ${reasonOf(error)}. Check the address and that PostgreSQL is running.`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
