/**
 * A real PostgreSQL for tests. The test runner starts one server with a migrated template, and each test
 * file clones the template (TOLLGATE_TEST_SOCKET names the server). A single file starts its own server.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCHEMA } from '../../src/app/wiring/schema.ts'
import { connectDatabase, type Database } from '../../src/db/database.ts'
import { startEmbeddedPostgres, type DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { migrate } from '../../src/db/migrate.ts'
import { cleanUp } from './clean-up.ts'

const TEMPLATE = 'tollgate_template'

export type TestServer = { readonly host: string; stop(): Promise<void> }

/** Starts a server for throw-away databases, without fsync. */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(findMemoryFolder() ?? tmpdir(), 'tollgate-test-'))
  const server = await startEmbeddedPostgres({ folder, unsafeFast: true })
  const database = connectDatabase(server.address, { poolSize: 1 })
  await database.query(`create database ${TEMPLATE}`)
  await database.close()
  const template = connectDatabase({ ...server.address, database: TEMPLATE }, { poolSize: 1 })
  await migrate(template, SCHEMA)
  await template.close()
  return {
    host: server.address.host,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// Hundreds of databases are copied and dropped, which would cost a disk more than the tests themselves.
const MEMORY_FOLDER = '/dev/shm'
// Containers often have 64 MiB there. All tests together need less than half a gibibyte.
const NEEDED_BYTES = 4 * 1024 ** 3

function findMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : null
  } catch {
    return null
  }
}

/** The DATABASE_URL of an address. */
export function databaseUrl({ user, database, host }: DatabaseAddress): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

export type TestDatabase = { readonly database: Database; readonly target: DatabaseAddress }

let cloneCount = 0
let ownServer: Promise<TestServer> | undefined

/** A fresh, migrated database that is dropped when the test file ends. */
export async function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE} strategy file_copy`)
}

/** A database without tables, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('')
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const host = process.env['TOLLGATE_TEST_SOCKET'] ?? (await startOwnServer()).host
  const admin = connectDatabase({ host, user: 'tollgate', database: 'postgres' }, { poolSize: 1 })
  cloneCount += 1
  const name = `t_${process.pid}_${cloneCount}`
  await admin.query(`create database ${name} ${from}`)
  const target = { host, user: 'tollgate', database: name }
  const database = connectDatabase(target)
  cleanUp(async () => {
    await database.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.close()
  })
  return { database, target }
}

function startOwnServer(): Promise<TestServer> {
  ownServer ??= startTestServer().then((server) => {
    cleanUp(() => server.stop())
    return server
  })
  return ownServer
}
