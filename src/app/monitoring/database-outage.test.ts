import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { DatabaseAway } from '../../errors/database-away.ts'
import { newId } from '../../lib/ids.ts'
import { logFault } from '../../surfaces/http/render-error.ts'
import { createDatabaseOutage } from './database-outage.ts'
import { openLog } from '../processes/open-log.ts'

type Line = {
  readonly msg: string
  readonly reason?: string
  readonly failures?: number
  readonly away_seconds?: number
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-outage-'))
cleanUp(() => rmSync(folder, { recursive: true }))
const START_MS = Date.UTC(2026, 10, 1)

/** A log whose database can be taken away, with its own clock. `lookAfter` advances it to the next poll. */
function openOutageBed() {
  const path = join(folder, newId(Date.now()))
  const file = openSync(path, 'w')
  const clock = manualClock(START_MS)
  let isAway = true
  let wake = Promise.withResolvers<void>()
  let paused = Promise.withResolvers<void>()
  const outage = createDatabaseOutage({
    now: clock,
    pause: async () => {
      paused.resolve()
      await wake.promise
    },
  })
  const logger = openLog({ logLevel: 'info' }, { file, outage })
  const query = async () => (isAway ? Promise.reject(new Error('away')) : { rows: [], count: 0 })
  cleanUp(() => closeSync(file))
  return {
    outage,
    logger,
    watch: () => outage.watch({ query }, logger),
    fail: (reason = 'connect ENOENT') =>
      logger.error(
        { err: new DatabaseAway('The database cannot be reached.', new Error(reason)) },
        'sweep holds failed',
      ),
    async lookAfter(seconds: number, nowAway = true) {
      clock.advance(seconds * 1000)
      isAway = nowAway
      const next = Promise.withResolvers<void>()
      paused = next
      const waiting = wake
      wake = Promise.withResolvers()
      waiting.resolve()
      if (nowAway) await next.promise
      else await Promise.race([next.promise, new Promise(setImmediate)])
    },
    lines: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line),
  }
}

test('logs an outage at its start, every half minute with the failures, and at its end', async () => {
  const bed = openOutageBed()
  bed.watch()
  for (let second = 0; second < 60; second += 1) {
    bed.fail(second < 40 ? 'connect ENOENT' : 'the database system is starting up')
    bed.fail()
    bed.fail(second < 40 ? 'connect ENOENT' : 'the database system is starting up')
    await bed.lookAfter(1)
  }
  await bed.lookAfter(1, false)
  const told = bed
    .lines()
    .map(({ reason, failures, away_seconds: seconds }) => [reason, failures, seconds])
  assert.deepEqual(told, [
    ['connect ENOENT', 1, 0],
    ['connect ENOENT', 90, 30],
    ['the database system is starting up', 180, 60],
    [undefined, 180, 61],
  ])
  assert.equal(bed.lines().at(-1)?.msg, 'the database is back')
})

test('counts rejected requests in the outage and logs other errors separately', async () => {
  const bed = openOutageBed()
  bed.watch()
  const request = {
    id: newId(START_MS),
    log: bed.logger.child({ reqId: 'r' }),
  } as unknown as FastifyRequest
  const away = new DatabaseAway('The database cannot be reached at the moment.', new Error('gone'))
  logFault(away, away, request)
  logFault(away, away, request)
  logFault(new AppError('overloaded', 'Too much at once.'), new Error('x'), request)
  bed.logger.error({ err: away, job_id: 'job_1' }, 'a job could not be finished')
  bed.logger.error({ err: new TypeError('a bug') }, 'sweep files failed')
  assert.deepEqual(
    bed.lines().map(({ msg }) => msg.slice(0, 30)),
    [
      'the database is unreachable; u',
      'Too much at once.',
      'a job could not be finished',
      'sweep files failed',
    ],
  )
  for (let second = 0; second < 2; second += 1) await bed.lookAfter(1, false)
  assert.deepEqual(
    [bed.lines().at(-1)?.msg, bed.lines().at(-1)?.failures],
    ['the database is back', 2],
  )
})

test('a database with a full disk is reported back only when writes succeed', async () => {
  const bed = openOutageBed()
  bed.watch()
  const told = () => bed.lines().map(({ msg, failures }) => [msg.slice(0, 18), failures])
  for (let second = 0; second < 30; second += 1) {
    bed.fail('No space left on device')
    bed.fail('No space left on device')
    await bed.lookAfter(1, false)
  }
  assert.deepEqual(told(), [
    ['the database is un', 1],
    ['the database is st', 60],
  ])
  await bed.lookAfter(1, false)
  assert.deepEqual(told().slice(2), [['the database is ba', 60]])
})

test('logs a flapping database every half minute', async () => {
  const bed = openOutageBed()
  bed.watch()
  const failAndRecover = async () => {
    bed.fail()
    await bed.lookAfter(1, false)
    await bed.lookAfter(1, false)
  }
  for (let times = 0; times < 15; times += 1) await failAndRecover()
  assert.deepEqual(
    bed.lines().map(({ msg, failures }) => [msg.slice(0, 23), failures]),
    [
      ['the database is unreach', 1],
      ['the database is back', 1],
    ],
  )
  for (let second = 0; second < 3; second += 1) await bed.lookAfter(1, false)
  assert.deepEqual(
    bed
      .lines()
      .slice(2)
      .map(({ msg, failures }) => [msg.slice(0, 23), failures]),
    [
      ['the database is unreach', 14],
      ['the database is back', 14],
    ],
  )
})

test('logs every failure before watching starts and after it ends', () => {
  const bed = openOutageBed()
  bed.fail()
  bed.watch()
  bed.outage.close()
  bed.fail()
  assert.deepEqual(
    bed.lines().map(({ msg }) => msg),
    ['sweep holds failed', 'sweep holds failed'],
  )
})
