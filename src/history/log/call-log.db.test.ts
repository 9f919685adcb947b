import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { START_MS, accountsOf } from '../../../test/harness/beds/accounts.ts'
import { cloneDatabase } from '../../../test/harness/postgres.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { listCalls } from '../calls/list-calls.ts'
import { createCallLog, type CallLogDeps } from './call-log.ts'
import { keepCallLog } from './log-partitions.ts'
import type { LoggedCall } from './logged-call.ts'
import { FIRST_ROWS, ROWS_PER_KEY, ROWS_PER_WALLET } from './minute-shares.ts'

const { database } = await cloneDatabase()
let nowMs = START_MS
const now = (): number => nowMs
const { openWallet } = accountsOf(database, now)
const NEVER_MS = 1_000_000_000

function openLog(deps: Partial<CallLogDeps> = {}) {
  return createCallLog({ database, now, onFailure: () => {}, everyMs: NEVER_MS, ...deps })
}

function callOf(walletId: number, facts: Partial<LoggedCall> = {}): LoggedCall {
  return {
    id: newId(nowMs),
    walletId,
    keyId: null,
    externalId: null,
    surface: 'api',
    service: 'core',
    action: 'onescrape',
    httpStatus: 402,
    error: { code: 'credits_required', message: 'No credit.', param: null, fix: 'Add credit.' },
    isReplayed: false,
    isCharged: false,
    hasTransaction: false,
    durationMs: 3,
    ...facts,
  }
}

async function listed(walletId: number) {
  const page = await listCalls(database, { walletId, filter: {}, cursor: null, limit: 1_000 })
  return page.calls
}

describe('the call log', () => {
  test('stores a rejected call with its error, and texts that PostgreSQL cannot store', async () => {
    const wallet = await openWallet()
    const log = openLog()
    const error = { code: 'invalid_params', message: `a\0b\ud800`, param: 'urls[2]', fix: 'Fix.' }
    log.record(callOf(wallet, { error, service: 'x'.repeat(3_000) }))
    await log.flush()
    const [call] = await listed(wallet)
    assert.deepEqual(call?.error, { ...error, message: 'ab\ufffd' })
    assert.equal(call?.service?.length, 200)
    await log.close()
  })

  test('bounds the rows of a key and minute, counts the rest, and affects no other key', async () => {
    const [noisy, quiet] = await Promise.all([openWallet(), openWallet()])
    const [failing, other] = [newId(nowMs), newId(nowMs)]
    const log = openLog()
    for (let count = 0; count < ROWS_PER_KEY + 3_211; count += 1) {
      log.record(callOf(noisy, { keyId: failing }))
      if (count === 3_000) {
        log.record(callOf(quiet))
        log.record(callOf(noisy, { keyId: other }))
      }
    }
    await log.flush()
    const calls = await listed(noisy)
    assert.deepEqual(
      calls
        .filter(({ omitted }) => omitted > 0)
        .map(({ omitted, error, service }) => [omitted, error?.code, service]),
      [[3_211, 'credits_required', 'core']],
    )
    // The common row is below the rows that it continues.
    assert.ok(calls.slice(-1).every(({ omitted }) => omitted > 0))
    assert.deepEqual([calls.length, (await listed(quiet)).length], [ROWS_PER_KEY + 2, 1])
    assert.deepEqual(log.counts(), { written: ROWS_PER_KEY + 2, omitted: 3_211, lost: 0 })
    log.record(callOf(noisy, { keyId: failing }))
    nowMs += 60_000
    await log.flush()
    assert.deepEqual((await listed(noisy)).at(-1)?.omitted, 3_212)
    await log.close()
  })

  test('begins the rows of a minute with its first call, also before the next write', async () => {
    const wallet = await openWallet()
    const log = openLog()
    for (let sent = 0; sent < ROWS_PER_KEY + 5; sent += 1) log.record(callOf(wallet))
    nowMs += 60_000
    for (let sent = 0; sent < 10; sent += 1) log.record(callOf(wallet))
    await log.flush()
    const omitted = (await listed(wallet)).map((call) => call.omitted)
    assert.equal(omitted.filter((count) => count === 0).length, ROWS_PER_KEY + 10)
    assert.deepEqual(
      omitted.filter((count) => count > 0),
      [5],
    )
    await log.close()
  })

  test('lists the first calls of a key when the others have used up the rows of the account', async () => {
    const wallet = await openWallet()
    const log = openLog()
    const keys = Array.from({ length: 6 }, () => newId(nowMs))
    for (const keyId of keys)
      for (let count = 0; count < ROWS_PER_KEY; count += 1) log.record(callOf(wallet, { keyId }))
    await log.close()
    const rows = (await listed(wallet)).filter(({ omitted }) => omitted === 0)
    assert.equal(rows.length, ROWS_PER_WALLET + 3 * FIRST_ROWS)
  })

  test('counts many kinds by status class, and no call that has a transaction', async () => {
    const wallet = await openWallet()
    const log = openLog()
    for (let count = 0; count < ROWS_PER_KEY; count += 1) log.record(callOf(wallet))
    for (let kind = 0; kind < 100; kind += 1) {
      for (const httpStatus of [404, 502])
        log.record(callOf(wallet, { httpStatus, action: `kind ${kind}` }))
      log.record(callOf(wallet, { httpStatus: 502, hasTransaction: true }))
    }
    log.record(callOf(wallet, { httpStatus: 200, error: null, action: 'free' }))
    await log.close()
    const common = (await listed(wallet)).filter(({ omitted }) => omitted > 0)
    const sumOf = (first: number): number =>
      common
        .filter(({ http_status: status }) => Math.floor((status ?? 0) / 100) === first)
        .reduce((sum, { omitted }) => sum + omitted, 0)
    assert.deepEqual([sumOf(2), sumOf(4), sumOf(5)], [1, 100, 100])
    assert.equal(common.length, 20 + 3)
    const exact = await listCalls(database, {
      walletId: wallet,
      filter: { httpStatus: [500, 500] },
      cursor: null,
      limit: 10,
    })
    assert.deepEqual(exact.calls, [])
  })

  test('counts calls in common rows when its queue is full, and never throws', async () => {
    const log = openLog()
    const wallets = await Promise.all(Array.from({ length: 60 }, () => openWallet()))
    for (let round = 0; round < 100; round += 1)
      for (const wallet of wallets) log.record(callOf(wallet))
    assert.deepEqual(log.counts(), { written: 0, omitted: 1_000, lost: 0 })
    await log.close()
    assert.equal(log.counts().written, 5_000)
  })

  test('writes counts after an outage of the database', async () => {
    const wallet = await openWallet()
    let isAway = true
    const query: typeof database.query = (...args) =>
      isAway ? Promise.reject(new Error('away')) : database.query(...args)
    const log = openLog({ database: { query } })
    for (let count = 0; count < ROWS_PER_KEY + 7; count += 1) log.record(callOf(wallet))
    await log.flush()
    isAway = false
    nowMs += 60_000
    await log.close()
    assert.deepEqual(
      (await listed(wallet)).map(({ omitted }) => omitted),
      [7],
    )
  })

  test('survives an outage of the database, reports it once and continues afterwards', async () => {
    const wallet = await openWallet()
    let isAway = true
    const failures: unknown[] = []
    const query: typeof database.query = (...args) =>
      isAway ? Promise.reject(new Error('away')) : database.query(...args)
    const log = openLog({ database: { query }, onFailure: (error) => failures.push(error) })
    for (const isLater of [false, true]) {
      log.record(callOf(wallet))
      if (isLater) isAway = false
      await log.flush()
    }
    log.record(callOf(wallet))
    await log.flush()
    assert.deepEqual([failures.length, log.counts().lost, log.counts().written], [1, 1, 2])
    await log.close()
  })
})

describe('days of the call log', () => {
  test('are dropped after their time, and the default partition is emptied', async () => {
    const wallet = await openWallet()
    const dated = START_MS + 100 * DAY_MS
    await keepCallLog(database, { nowMs: dated, days: 7 })
    const log = openLog()
    nowMs = START_MS
    log.record(callOf(wallet, { action: 'default partition' }))
    nowMs = dated
    log.record(callOf(wallet, { action: 'own partition' }))
    await log.close()
    const actions = async () => (await listed(wallet)).map(({ action }) => action)
    assert.deepEqual(await actions(), ['own partition', 'default partition'])
    await keepCallLog(database, { nowMs: dated + 7 * DAY_MS, days: 7 })
    assert.deepEqual(await actions(), ['own partition'])
    await keepCallLog(database, { nowMs: dated + 8 * DAY_MS, days: 7 })
    assert.deepEqual(await actions(), [])
  })

  test('are created by several processes at the same time', async () => {
    const dated = START_MS + 400 * DAY_MS
    await Promise.all(
      Array.from({ length: 4 }, () => keepCallLog(database, { nowMs: dated, days: 7 })),
    )
    const { rows } = await database.query<{ count: bigint }>(
      "select count(*) as count from pg_inherits where inhparent = 'call_log'::regclass",
    )
    assert.equal(Number(rows[0]?.count), 4)
  })
})
