import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { emptyDatabase, MIGRATIONS } from '../../test/harness/postgres.ts'
import { connectDatabase } from './database.ts'
import { migrate } from './migrate.ts'

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return folder
}

const ONE = { '0001-one.sql': 'create table one (id int)' }
const TWO = { ...ONE, '0002-two.sql': 'create table two (id int)' }

test('of three processes that migrate at once one applies every file and two find nothing to do', async () => {
  const { target } = await emptyDatabase()
  const racers = [1, 2, 3].map(() => connectDatabase(target, { poolSize: 1 }))
  const applied = await Promise.all(racers.map((racer) => migrate(racer, MIGRATIONS)))
  await Promise.all(racers.map((racer) => racer.close()))
  const all = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  assert.deepEqual(
    applied.toSorted((a, b) => a.length - b.length),
    [[], [], all],
  )
})

test('a process waits for another one that migrates for longer than any other transaction waits for a lock', async () => {
  const { database, target } = await emptyDatabase()
  const impatient = connectDatabase(target, { poolSize: 1, silenceMs: 400 })
  const waited = await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7246001)')
    const ran = migrate(impatient, folderWith(ONE)).catch((error: unknown) => error)
    const early = async (): Promise<unknown> => {
      const { rows } = await tx.query<{ late: boolean }>(
        "select coalesce(max(clock_timestamp() - waitstart), '0') > '300ms' as late from pg_locks where not granted and locktype = 'advisory'",
      )
      return rows[0]?.late === true
        ? 'still waiting'
        : Promise.race([ran, new Promise((resume) => setImmediate(resume))]).then(
            (ended) => ended ?? early(),
          )
    }
    return { state: await early(), ran }
  })
  assert.equal(waited.state, 'still waiting')
  assert.deepEqual(await waited.ran, ['0001-one.sql'])
  await impatient.close()
})

test('a second run applies only what is new, in the order of the numbers', async () => {
  const { database } = await emptyDatabase()
  assert.deepEqual(await migrate(database, folderWith(ONE)), ['0001-one.sql'])
  assert.deepEqual(
    await migrate(
      database,
      folderWith({
        ...TWO,
        '0010-ten.sql': 'alter table two add column ten int',
        'notes.txt': 'no SQL',
      }),
    ),
    ['0002-two.sql', '0010-ten.sql'],
  )
})

test('a file that was changed after it was applied stops the start, and changes nothing', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, folderWith(ONE))
  await assert.rejects(
    migrate(database, folderWith({ ...TWO, '0001-one.sql': 'create table other (id int)' })),
    { name: 'StartError', message: /0001-one\.sql was changed after it was applied/ },
  )
  assert.deepEqual((await database.query("select to_regclass('two')::text as two")).rows, [
    { two: null },
  ])
})

test('a database of a newer version is refused', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, folderWith(TWO))
  await assert.rejects(migrate(database, folderWith(ONE)), {
    name: 'StartError',
    message: /newer version \(0002-two\.sql/,
  })
})

test('a migration that fails takes the whole run back, and the next run starts afresh', async () => {
  const { database } = await emptyDatabase()
  await assert.rejects(
    migrate(
      database,
      folderWith({ ...ONE, '0002-two.sql': 'create table two (id int); select 1 / 0' }),
    ),
    { code: '22012' },
  )
  assert.deepEqual(await migrate(database, folderWith(TWO)), ['0001-one.sql', '0002-two.sql'])
})
