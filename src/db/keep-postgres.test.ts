import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { connectDatabase } from './database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { keepEmbeddedPostgres } from './keep-postgres.ts'

function bed() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-kept-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const failures: unknown[] = []
  const lost = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const keep = () =>
    keepEmbeddedPostgres({
      folder,
      onLost: () => lost.resolve(),
      onFailure(error) {
        failures.push(error)
        failed.resolve()
      },
      pause: () => yieldOnce(),
    })
  const answers = async (): Promise<unknown> => {
    await lost.promise
    while ((await findEmbeddedPostgres(folder)) === null) await yieldOnce()
    const database = connectDatabase((await findEmbeddedPostgres(folder)) ?? '', { poolSize: 1 })
    const { rows } = await database.query('select one from kept')
    await database.close()
    return rows
  }
  const make = async (): Promise<void> => {
    const database = connectDatabase((await findEmbeddedPostgres(folder)) ?? '', { poolSize: 1 })
    await database.query('create table kept as select 1 as one')
    await database.close()
  }
  const pidFile = join(folder, 'data', 'postmaster.pid')
  return {
    folder,
    keep,
    make,
    answers,
    failed: failed.promise,
    failures,
    kill: () => process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL'),
  }
}

test('a built-in PostgreSQL that is killed is started again, with everything that was committed', async () => {
  const { keep, make, kill, answers, folder } = bed()
  const kept = await keep()
  await make()
  kill()
  assert.deepEqual(await answers(), [{ one: 1 }])
  await kept.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})

test('a process that joined a built-in PostgreSQL runs it on when its owner stops it, and stops it itself', async () => {
  const { folder, keep, make, answers } = bed()
  const owner = await startEmbeddedPostgres({ folder })
  const guest = await keep()
  await make()
  await owner.stop()
  assert.deepEqual(await answers(), [{ one: 1 }])
  await guest.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})

test('a start that fails is tried again until it works, and what failed is told in the words of the server', async () => {
  const { folder, keep, make, kill, answers, failed, failures } = bed()
  const kept = await keep()
  await make()
  const settings = join(folder, 'data', 'postgresql.auto.conf')
  const before = readFileSync(settings, 'utf8')
  writeFileSync(settings, 'no_such_setting = 1')
  kill()
  await failed
  writeFileSync(settings, before)
  assert.match(
    (failures[0] as Error).message,
    /unrecognized configuration parameter "no_such_setting".*\n.*FATAL: .* contains errors/,
  )
  assert.deepEqual(await answers(), [{ one: 1 }])
  await kept.stop()
})

test('one that is stopped in the moment in which it is up stops', async () => {
  const { folder, keep } = bed()
  const kept = await keep()
  await kept.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})
