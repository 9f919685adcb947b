import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { connectDatabase } from '../../db/database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts'
import { StartError } from '../../errors/start-error.ts'
import { backUp } from './back-up.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
cleanUp(() => rmSync(dataDir, { recursive: true, force: true }))
const server = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres') })
const database = connectDatabase(server.address)
cleanUp(async () => {
  await database.close()
  await server.stop()
})
const config = { databaseUrl: null, dataDir, s3: null }

test('a backup of a running gateway contains concurrent commits and the files', async () => {
  mkdirSync(join(dataDir, 'files', 'objects'), { recursive: true })
  writeFileSync(join(dataDir, 'files', 'objects', 'one'), 'bytes')
  await database.query('create table counted (id integer)')
  let written = 0
  const write = async (): Promise<void> =>
    void (await database.query('insert into counted values ($1)', [++written]))
  for (let count = 0; count < 100; count += 1) await write()
  const done = new AbortController()
  const writing = (async () => {
    while (!done.signal.aborted) await write()
  })()
  const target = join(dataDir, 'copy')
  let wasNamedEarly = true
  // Its connection ends after the database is copied and before the files are.
  const connect = (purpose: string): ReturnType<typeof database.connect> =>
    database.connect(purpose).once('end', () => (wasNamedEarly = existsSync(target)))
  await backUp(config, { ...database, connect }, target)
  assert.equal(wasNamedEarly, false)
  done.abort()
  await writing

  const copy = await startEmbeddedPostgres({ folder: join(target, 'postgres') })
  const there = connectDatabase(copy.address, { poolSize: 1 })
  const { rows } = await there.query<{ count: bigint; latest: number }>(
    'select count(*) as count, coalesce(max(id), 0) as latest from counted',
  )
  const { count = 0n, latest = 0 } = rows[0] ?? {}
  assert.ok(
    latest > 100 && Number(count) === latest,
    `${count} rows up to ${latest}, of ${written} written`,
  )
  await there.close()
  await copy.stop()
  assert.equal(readFileSync(join(target, 'files', 'objects', 'one'), 'utf8'), 'bytes')
  assert.equal(statSync(target).mode & 0o777, 0o700)
  await assert.rejects(
    backUp(config, database, target),
    (error) => error instanceof StartError && /already exists/.test(error.message),
  )
})

test('several concurrent backups are each complete', async () => {
  await database.query('create table present as select 1 as id')
  const targets = ['first', 'second'].map((name) => join(dataDir, name))
  // Each of them begins while the others are running.
  const others = targets.map(() => Promise.withResolvers<void>())
  await Promise.all(
    targets.map((target, index) => {
      const connect = (purpose: string): ReturnType<typeof database.connect> => {
        const client = database.connect(purpose)
        const query = client.query.bind(client) as (
          text: string,
          values?: unknown[],
        ) => Promise<unknown>
        const waiting = async (text: string, values?: unknown[]): Promise<unknown> => {
          const answer = await query(text, values)
          if (text.includes('pg_backup_start')) {
            others[index]?.resolve()
            await Promise.all(others.map(({ promise }) => promise))
          }
          return answer
        }
        return Object.assign(client, { query: waiting })
      }
      return backUp(config, { ...database, connect }, target).finally(others[index]?.resolve)
    }),
  )
  for (const target of targets) {
    const copy = await startEmbeddedPostgres({ folder: join(target, 'postgres') })
    const there = connectDatabase(copy.address, { poolSize: 1 })
    assert.equal((await there.query('select from present')).count, 1)
    await there.close()
    await copy.stop()
  }
  assert.equal((await database.query('select from pg_replication_slots')).count, 0)
})

test("a backup beyond PostgreSQL's replication slots fails with advice to retry", async () => {
  const others = database.connect('backup')
  await others.connect()
  await others.query(
    `select pg_create_physical_replication_slot('other_' || number, true, true) from generate_series(1, current_setting('max_replication_slots')::integer) as number`,
  )
  const target = join(dataDir, 'one-too-many')
  await assert.rejects(
    backUp(config, database, target),
    (error) =>
      error instanceof StartError &&
      error.message.endsWith('Try again when one of them has finished.'),
  )
  assert.equal(existsSync(target), false)
  await others.end()
})

test('a backup names the disk of the database when that is the full one', async () => {
  const target = join(dataDir, 'no-space')
  const connect = (purpose: string): ReturnType<typeof database.connect> =>
    Object.assign(database.connect(purpose), {
      query: () =>
        Promise.reject(Object.assign(new Error('could not write to file'), { code: '53100' })),
    })
  await assert.rejects(backUp(config, { ...database, connect }, target), {
    name: 'StartError',
    message: `The backup failed: could not write to file. Nothing was left at ${target}. The disk of DATA_DIR is full. Free some space there and try again.`,
  })
  assert.equal(existsSync(target), false)
})

test("with an external database, the error names the database's own backup tools", async () => {
  await assert.rejects(
    backUp({ ...config, databaseUrl: 'postgres://u:secret@h/d' }, database, join(dataDir, 'other')),
    (error) =>
      error instanceof StartError &&
      /own tools/.test(error.message) &&
      !error.message.includes('secret'),
  )
})

test('a backup inside a copied folder is rejected', async () => {
  for (const folder of ['files', 'postgres/data']) {
    const target = join(dataDir, folder, 'copy')
    await assert.rejects(
      backUp(config, database, target),
      (error) => error instanceof StartError && /which is being copied/.test(error.message),
    )
    assert.equal(existsSync(target), false)
  }
})

test('a failed backup leaves nothing behind and reports the cause', async () => {
  const target = join(dataDir, 'failed')
  await assert.rejects(
    backUp({ ...config, dataDir: '/dev/null' }, database, target),
    (error) => error instanceof StartError && /The backup failed: .*ENOTDIR/.test(error.message),
  )
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('failed')),
    [],
  )
})
