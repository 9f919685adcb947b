/**
 * A real PostgreSQL for tests. The test runner starts one server and makes a migrated template; each test file
 * clones the template (TOLLGATE_TEST_SOCKET names the server). A file that is run alone starts a server of its own.
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

/** For databases that nobody needs after the test: fsync is off. */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(roomInMemory() ?? tmpdir(), 'tollgate-test-'))
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

// Databases are copied and dropped by the hundred, which costs a disk more than all that the tests ask of them.
const MEMORY_FOLDER = '/dev/shm'
// Containers often have 64 MiB there; all tests together need less than half a gibibyte.
const ROOM_BYTES = 4 * 1024 ** 3

function roomInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= ROOM_BYTES ? MEMORY_FOLDER : null
  } catch {
    return null
  }
}

/** The address for DATABASE_URL of a process. */
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
