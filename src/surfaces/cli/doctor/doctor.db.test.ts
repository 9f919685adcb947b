import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
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

test('a database that allows fewer connections than a process opens is broken', async () => {
  assert.equal((await checkDatabase(tools))[0]?.state, 'ok')
  await database.query(`alter database ${target.database} connection limit 15`)
  const [check] = await checkDatabase(tools)
  assert.deepEqual([check?.state, check?.found.includes('15 connections allowed'), check?.fix?.includes('up to 16')], ['broken', true, true])
})
