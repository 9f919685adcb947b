import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import { createAccount } from '../../../accounts/create-account.ts'
import { systemClock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkDatabase } from './database.ts'
import { checkFiles } from './files.ts'
import { checkGoneRoutes } from './gone-routes.ts'
import { checkDataFolder } from './machine.ts'

const { database, target } = await cloneDatabase()
const tools = { now: systemClock, config: () => loadConfig({}), database: async () => database }

test('reports a data folder on a nearly full disk as broken, with the free space', async () => {
  const { state, found, fix } = await checkDataFolder(tmpdir(), async () => 5 * 1024 ** 2)
  assert.deepEqual(
    [state, found, fix?.includes('Free space')],
    ['broken', `${tmpdir()}: 5 MiB are free`, true],
  )
  assert.equal((await checkDataFolder(tmpdir(), async () => 1024 ** 3)).state, 'ok')
})

test('reports a data folder of another user’s gateway as broken and leaves no file in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
  cleanUp(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'postgres'))
  const { uid } = statSync(folder)
  assert.equal((await checkDataFolder(folder, async () => 1024 ** 3, uid)).state, 'ok')
  const { state, found, fix } = await checkDataFolder(folder, async () => 1024 ** 3, uid + 1)
  assert.deepEqual(
    [state, found, fix],
    [
      'broken',
      `${folder} is in use by the gateway of another user, whose ID is ${uid}`,
      'Run the command as that user (see docs/operating.md).',
    ],
  )
  assert.deepEqual(readdirSync(folder), ['postgres'])
})

describe('the files folder', () => {
  const inFolder = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
    cleanUp(() => rmSync(dataDir, { recursive: true }))
    return {
      folder: join(dataDir, 'files'),
      check: () => checkFiles({ ...tools, config: () => loadConfig({ DATA_DIR: dataDir }) }),
    }
  }

  test('is ok while it is empty or writable, and the doctor leaves no file in it', async () => {
    const { folder, check } = inFolder()
    assert.equal((await check()).state, 'ok')
    mkdirSync(join(folder, 'objects/ab'), { recursive: true })
    mkdirSync(join(folder, 'incoming'))
    assert.deepEqual(await check(), {
      name: 'files',
      state: 'ok',
      found: `stored on disk in ${folder}`,
      fix: null,
    })
    assert.deepEqual(
      [
        readdirSync(join(folder, 'objects')),
        readdirSync(join(folder, 'objects/ab')),
        readdirSync(join(folder, 'incoming')),
        readdirSync(folder).length,
      ],
      [['ab'], [], [], 2],
    )
  })

  for (const part of ['', 'incoming', 'objects']) {
    test(`is broken when files/${part} is a file or is not writable`, async () => {
      const { folder, check } = inFolder()
      const place = join(folder, part)
      if (part !== '') mkdirSync(folder)
      writeFileSync(place, '')
      const { state, found, fix } = await check()
      assert.deepEqual(
        [state, found, fix?.startsWith('Uploads fail')],
        ['broken', `${place} is not a folder`, true],
      )
      rmSync(place)
      // Not even root can create a file there.
      symlinkSync('/proc/self', place)
      const readOnly = await check()
      assert.deepEqual(
        [readOnly.state, readOnly.found.startsWith(`${place} is not writable (`)],
        ['broken', true],
      )
    })
  }

  test('is broken when the newest file is missing', async () => {
    const { folder, check } = inFolder()
    const key = 'ab'.repeat(24)
    await createAccount(
      { database, now: systemClock },
      { email: 'keeper@gate.example.com', tier: 'personal' },
    )
    await database.query(
      `insert into files (id, account_id, mode, filename, mime, tags, source, size_bytes, sha256, object_key, created_at) select $1, id, 'live', 'a.txt', 'text/plain', '{}', 'upload', 0, sha256(''), $2, now() from accounts`,
      [newId(systemClock()), key],
    )
    const { state, found } = await check()
    assert.deepEqual(
      [state, found],
      ['broken', `stored on disk in ${folder}: the newest file is missing`],
    )
    mkdirSync(join(folder, 'objects/ab'), { recursive: true })
    writeFileSync(join(folder, 'objects/ab', key), '')
    assert.equal((await check()).state, 'ok')
  })
})

test('warns about a route that its vendor no longer offers, with the answer and the time', async () => {
  assert.deepEqual(
    (await checkGoneRoutes(tools)).map(({ state }) => state),
    ['ok'],
  )
  await database.query(
    `insert into gone_routes (service, action, endpoint, lane, vendor, status, message, first_ms, last_ms)
     values ('socialread', 'fetch', '/weibo/web', 'vendor', 'socialread', 404, 'Not Found', 0, 1)`,
  )
  const [check] = await checkGoneRoutes(tools)
  assert.deepEqual(
    [check?.name, check?.state, check?.found],
    [
      'gone route socialread/fetch /weibo/web',
      'warning',
      'socialread (vendor) answered 404 "Not Found" since 1970-01-01T00:00:00.000Z; the lane is not live',
    ],
  )
  await database.query('delete from gone_routes')
})

test('reports a database that allows fewer connections than a process opens as broken', async () => {
  assert.equal((await checkDatabase(tools))[0]?.state, 'ok')
  await database.query(`alter database ${target.database} connection limit 15`)
  const [check] = await checkDatabase(tools)
  assert.deepEqual(
    [
      check?.state,
      check?.found.includes('15 connections allowed'),
      check?.fix?.includes('up to 16'),
    ],
    ['broken', true, true],
  )
})

test('reports a clock that differs from the database clock as broken', async () => {
  for (const [skewMs, state, found] of [
    [0, 'ok', /^in sync/],
    [3_600_000, 'broken', /^this machine is 3600 s ahead of/],
    [-3_600_000, 'broken', /^this machine is 3600 s behind/],
  ] as const) {
    const clock = (await checkDatabase(tools, () => systemClock() + skewMs)).find(
      ({ name }) => name === 'clock',
    )
    assert.equal(clock?.state, state)
    assert.match(clock?.found ?? '', found)
  }
})

test('reports a database clock that jumped while processes run, and how to fix it', async () => {
  const clock = (await checkDatabase({ ...tools, now: () => systemClock() - 172_800_000 })).find(
    ({ name }) => name === 'clock',
  )
  assert.deepEqual(
    [
      clock?.state,
      clock?.found.startsWith('the running processes are 172800 s behind the database'),
      /stop all/.test(clock?.fix ?? ''),
    ],
    ['broken', true, true],
  )
})
