import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanUp } from '../harness/clean-up.ts'
import { dataFolder, startGateway } from '../harness/clients/gateway-process.ts'
import { reportFigure } from '../harness/figure.ts'
import { startLossyProxy, type LossyProxy } from '../harness/vendors/lossy-proxy.ts'
import { databaseUrl, emptyDatabase } from '../harness/postgres.ts'

type Starting = {
  readonly output: () => string
  readonly ready: Promise<void>
  readonly ended: Promise<number | null>
  readonly process: ChildProcess
}

const root = join(import.meta.dirname, '../..')

function start(command: 'both' | 'serve' | 'work', url: string): Starting {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, `src/app/processes/${command}.ts`)],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        PORT: '0',
        LOG_LEVEL: 'warn',
        DATABASE_URL: url,
        DATA_DIR: dataFolder(),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (/^tollgate (worker )?ready/m.test(said)) ready.resolve()
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  cleanUp(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { output: () => said, ready: ready.promise, ended, process: child }
}

const WAITS = /the database is not usable yet/g
const GOES_ON = /the database is back/g
const LOGGED_WITHIN_MS = 60_000
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Fails with the output when it does not match in time. Otherwise a changed log line would hang the test. */
async function untilLogged({ output }: Starting, pattern: RegExp): Promise<void> {
  const endMs = performance.now() + LOGGED_WITHIN_MS
  while (count(output(), pattern) === 0) {
    assert.ok(performance.now() < endMs, `"${pattern.source}" is not in: ${output()}`)
    await delay(20)
  }
}

async function openProxy(): Promise<LossyProxy & { readonly url: string }> {
  const { target } = await emptyDatabase()
  const proxy = await startLossyProxy(target)
  return { ...proxy, url: databaseUrl(proxy.address) }
}

for (const command of ['both', 'serve', 'work'] as const) {
  test(`${command} waits for an unavailable database, logs that once and gets ready`, async (context) => {
    const proxy = await openProxy()
    proxy.shut()
    const starting = start(command, proxy.url)
    const { output, ready } = starting
    await untilLogged(starting, WAITS)
    await delay(1_000)
    proxy.open()
    const openedMs = performance.now()
    await ready
    const readyMs = performance.now() - openedMs
    reportFigure(context, {
      what: `time until a waiting \`${command}\` is ready after its new database returned, migrations included`,
      measured: `${(readyMs / 1000).toFixed(1)} s`,
      must: '<= 2 s',
      isMet: readyMs <= 2_000,
    })
    assert.deepEqual([count(output(), WAITS), count(output(), GOES_ON)], [1, 1])
    assert.doesNotMatch(output(), /\n\s+at /)
  })
}

test('a start continues at its current step after a database outage', async () => {
  // The n-th chunk towards the server breaks its connection, and briefly all others.
  for (const place of [3, 9, 12, 15, 20, 26, 33, 41, 50, 60]) {
    const proxy = await openProxy()
    let pieces = 0
    proxy.decide((towards) => {
      if (towards === 'client') return null
      pieces += 1
      if (pieces !== place) return null
      proxy.shut()
      setTimeout(() => proxy.open(), 300)
      return 'cut-question'
    })
    const { output, ready, ended } = start('serve', proxy.url)
    const code = await Promise.race([ready.then(() => 'ready'), ended])
    assert.equal(code, 'ready', `ended at chunk ${place}: ${output()}`)
    assert.doesNotMatch(output(), /\n\s+at /)
  }
})

test('a waiting start ends immediately on request', async () => {
  const starting = start('serve', 'postgres://u@127.0.0.1:1/none')
  const { ended, process: child } = starting
  await untilLogged(starting, WAITS)
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('a permanent database error ends a start with one line and no stack', async () => {
  const { target, database } = await emptyDatabase()
  for (const [url, words] of [
    [
      databaseUrl({ ...target, database: 'no_such_database' }),
      /is unreachable: database "no_such_database" does not exist/,
    ],
    [
      databaseUrl({ ...target, user: 'no_such_user' }),
      /is unreachable: role "no_such_user" does not exist/,
    ],
    ['postgres://h1,h2:x/none', /DATABASE_URL is invalid/],
  ] as const) {
    const { output, ended } = start('serve', url)
    assert.equal(await ended, 1)
    assert.match(output(), words)
    assert.doesNotMatch(output(), /\n\s+at |waits for it/)
  }
  await database.query(`alter database ${target.database} set default_transaction_read_only = on`)
  const { output, ended } = start('serve', databaseUrl(target))
  assert.equal(await ended, 1)
  assert.match(output(), /is read-only: it is a standby/)
})

test('a start waits until one of several read-only hosts is promoted', async () => {
  const { target, database } = await emptyDatabase()
  await database.query(`alter database ${target.database} set default_transaction_read_only = on`)
  const starting = start(
    'serve',
    `postgres://tollgate@/${target.database}?host=/nowhere,${target.host}&target_session_attrs=read-write`,
  )
  const { output, ready } = starting
  await untilLogged(starting, WAITS)
  await database.transaction(async (tx) => {
    await tx.query('set transaction read write')
    await tx.query(`alter database ${target.database} reset default_transaction_read_only`)
  })
  await ready
  assert.deepEqual([count(output(), WAITS), count(output(), GOES_ON)], [1, 1])
})

test('a command reports an unavailable database immediately', async () => {
  const child = spawn(join(root, 'tollgate'), ['doctor'], {
    env: { ...process.env, DATABASE_URL: 'postgres://u@127.0.0.1:1/none', DATA_DIR: dataFolder() },
    stdio: 'pipe',
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 1)
  assert.match(said, /is unreachable/)
})

test('a gateway answers calls after a database outage without a restart', async () => {
  const proxy = await openProxy()
  const gateway = await startGateway({ DATABASE_URL: proxy.url, DATA_DIR: dataFolder() })
  proxy.shut()
  const readyz = async (): Promise<number> => (await fetch(`${gateway.url}/readyz`)).status
  assert.equal(await readyz(), 503)
  proxy.open()
  while ((await readyz()) !== 200) await delay(20)
})
