import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { connectDatabase } from './database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { superviseEmbeddedPostgres } from './supervise-postgres.ts'

function bed() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-kept-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const failures: unknown[] = []
  const lost = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const keep = () =>
    superviseEmbeddedPostgres({
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

test('restarts a killed built-in PostgreSQL with every commit', async () => {
  const { keep, make, kill, answers, folder } = bed()
  const kept = await keep()
  await make()
  kill()
  assert.deepEqual(await answers(), [{ one: 1 }])
  await kept.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})

test('a joined process restarts a server that its owner stopped, and stops it later', async () => {
  const { folder, keep, make, answers } = bed()
  const owner = await startEmbeddedPostgres({ folder })
  const guest = await keep()
  await make()
  await owner.stop()
  assert.deepEqual(await answers(), [{ one: 1 }])
  await guest.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})

test("retries a failed start until it works, and reports the server's reason", async () => {
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

test('stops a server that has just started', async () => {
  const { folder, keep } = bed()
  const kept = await keep()
  await kept.stop()
  assert.equal(await findEmbeddedPostgres(folder), null)
})
