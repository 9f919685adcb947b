import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import { systemClock } from '../../../lib/clock.ts'
import { loadConfig } from '../../../start/config.ts'
import { checkDatabase } from './database.ts'
import { checkDataFolder } from './machine.ts'

const { database, target } = await cloneDatabase()
const tools = { now: systemClock, config: () => loadConfig({}), database: async () => database }

test('a data folder on a disk that is nearly full is broken, and it is told how much is left', async () => {
  const { state, found, fix } = await checkDataFolder(tmpdir(), async () => 5 * 1024 ** 2)
  assert.deepEqual([state, found, fix?.includes('Make room')], ['broken', `${tmpdir()}: 5 MiB are free`, true])
  assert.equal((await checkDataFolder(tmpdir(), async () => 1024 ** 3)).state, 'ok')
})

test('a data folder of another user’s gateway is broken, and the doctor leaves nothing of its own in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
  cleanUp(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'postgres'))
  const { uid } = statSync(folder)
  assert.equal((await checkDataFolder(folder, async () => 1024 ** 3, uid)).state, 'ok')
  const { state, found, fix } = await checkDataFolder(folder, async () => 1024 ** 3, uid + 1)
  assert.deepEqual([state, found, fix], ['broken', `${folder} is in use by the gateway of another user, whose id is ${uid}`, 'Run this as that user (docs/operating.md shows how).'])
  assert.deepEqual(readdirSync(folder), ['postgres'])
})

test('a database that allows fewer connections than a process opens is broken', async () => {
  assert.equal((await checkDatabase(tools))[0]?.state, 'ok')
  await database.query(`alter database ${target.database} connection limit 15`)
  const [check] = await checkDatabase(tools)
  assert.deepEqual([check?.state, check?.found.includes('15 connections allowed'), check?.fix?.includes('up to 16')], ['broken', true, true])
})
