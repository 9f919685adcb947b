import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { DAY_MS } from '../../src/lib/clock.ts'
import { idTimeMs } from '../../src/lib/ids.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { reportFigure } from '../harness/figure.ts'
import { dataFolder, type GatewayProcess } from '../harness/clients/gateway-process.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { makeClockSteppable } from '../harness/steppable-clock.ts'
import { makeKey, openFireBed, SEARCH } from './bed.ts'
import { ask, tally } from './client.ts'

const { database, target } = await cloneDatabase()
const databaseClock = await makeClockSteppable(target)
cleanUp(() => databaseClock.close())
const bed = await openFireBed({ database, target })
const folder = dataFolder()

type Node = GatewayProcess & { step(ms: number): void }

let nodes = 0

/** A gateway process whose machine's wall clock a test sets. */
async function startNode(): Promise<Node> {
  const file = join(folder, `step-${(nodes += 1)}`)
  writeFileSync(file, '0')
  const gateway = await bed.start({
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'stepping-clock.ts')}`,
    STEP_FILE: file,
  })
  return {
    ...gateway,
    step(ms) {
      writeFileSync(file, String(ms))
      gateway.process.kill('SIGUSR2')
    },
  }
}

/** Looks are five seconds apart. */
async function nextLook(): Promise<void> {
  const beat = async (): Promise<number> =>
    (await database.query<{ beat_ms: number }>('select beat_ms from shared_clock')).rows[0]
      ?.beat_ms ?? 0
  for (const before = await beat(); (await beat()) === before;) await delay(50)
}

const PERIODS = ['day', 'week', 'month'] as const
const CALLS_A_CEILING_PAYS = 5

/** Everything that a step of a clock could move: ceilings that are used up, links, and the ids of calls. */
async function openAccount(url: string) {
  const account = await bed.account('1000')
  const keys = await Promise.all(
    PERIODS.map((period) =>
      makeKey(url, account.key, { ceiling_cents: CALLS_A_CEILING_PAYS, ceiling_period: period }),
    ),
  )
  const slot = await ask({
    url,
    key: account.key,
    path: '/api/run/files/upload',
    body: { filename: 'a.txt', size_bytes: 3 },
  })
  const { put_url: put, get_url: get } = (
    JSON.parse(slot.text) as { data: { put_url: string; get_url: string } }
  ).data
  const linkAt = (to: string, link: string): string =>
    `${to}${new URL(link).pathname}${new URL(link).search}`
  assert.equal(
    (
      await request(linkAt(url, put), {
        method: 'PUT',
        body: 'abc',
        headers: { 'content-type': 'text/plain' },
      })
    ).statusCode,
    200,
  )
  const callIds: string[] = []
  return {
    callIds,
    async callAll(to: string) {
      const answers = await Promise.all(
        keys.flatMap(({ key }) =>
          Array.from({ length: CALLS_A_CEILING_PAYS }, () =>
            ask({ url: to, key, path: SEARCH, body: { query: 'x' } }),
          ),
        ),
      )
      callIds.push(...answers.map(({ callId }) => callId))
      return tally(answers)
    },
    readFile: async (to: string) => (await request(linkAt(to, get))).statusCode,
    async spent() {
      const { rows } = await database.query<{ spent: bigint }>(
        'select coalesce(-sum(amount_micros), 0) as spent from transactions where budget_id is not null group by budget_id order by 1 desc limit 3',
      )
      return rows.map(({ spent }) => Number(spent))
    },
  }
}

async function assertNothingMoves(
  url: string,
  others: readonly string[],
  stepped: () => Promise<void>,
): Promise<void> {
  const account = await openAccount(url)
  assert.deepEqual(await account.callAll(url), { 200: CALLS_A_CEILING_PAYS * PERIODS.length })
  await stepped()
  for (const look of [0, 1]) {
    for (const to of [url, ...others]) {
      assert.deepEqual(await account.callAll(to), {
        'api_key_limit_exceeded 402': CALLS_A_CEILING_PAYS * PERIODS.length,
      })
      assert.equal(await account.readFile(to), 200)
    }
    if (look === 0) await nextLook()
  }
  for (const id of account.callIds)
    assert.ok(Math.abs(idTimeMs(id) - bedStartedMs) < DAY_MS, 'an id has the day of its call')
  const [ceiling, spent] = [CALLS_A_CEILING_PAYS * 10_000, await account.spent()]
  overshoots.push(Math.max(...spent) - ceiling)
  assert.deepEqual(
    spent,
    PERIODS.map(() => ceiling),
  )
  await bed.assertSound()
}
const overshoots: number[] = []
const bedStartedMs = performance.timeOrigin + performance.now()

for (const days of [2, -2, 8, 32]) {
  test(`a node whose wall clock steps ${days} days while it runs moves no limit, id or link`, async () => {
    const node = await startNode()
    await assertNothingMoves(node.url, [], async () => node.step(days * DAY_MS))
    await node.end('SIGKILL')
  })
}

for (const days of [2, -2]) {
  test(`one of three nodes whose wall clock steps ${days} days moves no limit, id or link on any`, async () => {
    const [first, ...others] = await Promise.all([startNode(), startNode(), startNode()])
    assert.ok(first)
    await assertNothingMoves(
      first.url,
      others.map(({ url }) => url),
      async () => first.step(days * DAY_MS),
    )
    await Promise.all([first, ...others].map((node) => node.end('SIGKILL')))
  })

  test(`a step of wall clock and database by ${days} days moves no limit, id or link`, async () => {
    const running = await Promise.all([startNode(), startNode(), startNode()])
    const [first, ...others] = running
    assert.ok(first)
    await assertNothingMoves(
      first.url,
      others.map(({ url }) => url),
      async () => {
        await databaseClock.step(days * DAY_MS)
        for (const node of running) node.step(days * DAY_MS)
      },
    )
    // A process that starts next to them adopts their time.
    const late = await startNode()
    const account = await openAccount(first.url)
    await account.callAll(first.url)
    assert.deepEqual(await account.callAll(late.url), {
      'api_key_limit_exceeded 402': CALLS_A_CEILING_PAYS * PERIODS.length,
    })
    assert.match(running.map(({ output }) => output()).join(''), /the clock of the database jumped/)
    await Promise.all([late, ...running].map((node) => node.end('SIGKILL')))
    await databaseClock.step(-days * DAY_MS)
  })
}

test('no ceiling was exceeded by a micro-dollar in any of these steps', (context) => {
  const overshoot = Math.max(...overshoots)
  reportFigure(context, {
    what: `amount spent above day, week and month limits in ${overshoots.length} clock steps of 2 to 32 days, with one and three processes`,
    measured: `${overshoot} µ$`,
    must: '0 µ$',
    isMet: overshoot === 0,
  })
  assert.equal(overshoot, 0)
})
