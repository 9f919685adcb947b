import assert from 'node:assert/strict'
import { setImmediate as nextRound } from 'node:timers/promises'
import { before, describe, it } from 'node:test'
import { Agent } from 'undici'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { service as courts } from '../../vendors/courts/record.ts'
import { service as semantic } from '../../vendors/semantic/record.ts'
import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { createGates, type Gates } from '../../upstream/limits/gates.ts'
import { createLanes } from '../lanes/lanes.ts'
import type { Calls } from '../call.ts'
import { runCall } from '../run.ts'

const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
  costDollars: { total: 0.007 },
}
const dispatcher = new Agent()
cleanUp(() => dispatcher.close())

function gatesOf({ database, clock }: CallBed, process: string): Gates {
  const gates = createGates({ database, now: clock, process })
  cleanUp(() => gates.close())
  return gates
}

/** The calls of one process with its gates before the live vendor. */
function callsBehind({ calls, vendor }: CallBed, gates: Gates): Calls {
  const upstreams = new Map([
    ['semantic', { url: vendor.url, credentials: { KEY: 'vendor-secret-key' } }],
  ])
  const lanes = createLanes({
    catalog: calls.catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: dispatcher,
    inHouse: new Set(),
    simulatorUrl: vendor.url,
    userAgent: 'Tollgate-Test/1.0',
    gates,
  })
  return { ...calls, lanes }
}

async function openBed(limits?: VendorLimits): Promise<{
  bed: CallBed
  calls: Calls
  call: (extra?: object) => Promise<unknown>
  refusal: () => Promise<AppError>
}> {
  const vendor = semantic.vendor
  assert.ok(vendor !== undefined)
  const bed = await openCallBed({
    services: [{ ...semantic, vendor: limits === undefined ? vendor : { ...vendor, limits } }],
  })
  bed.vendor.answerWith(() => ({ body: FOUND }))
  const gates = gatesOf(bed, 'first')
  await gates.ready
  const calls = callsBehind(bed, gates)
  const call = (extra = {}): Promise<unknown> =>
    runCall(calls, bed.request('semantic', 'search', { query: 'ledgers' }, extra))
  return { bed, calls, call, refusal: () => refusalOf(call()) }
}

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => assert.fail('expected a refusal'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  return error
}

describe('a source with a small quota and about three calls per answer', () => {
  it('sends the three without a pause', async () => {
    const { bed, call } = await openBed(courts.vendor?.limits)
    await Promise.all([call(), call(), call()])
    assert.equal(bed.vendor.requests.length, 3)
  })
})

describe('a vendor with a limit of two calls a day', () => {
  let limited: Awaited<ReturnType<typeof openBed>>
  before(async () => {
    limited = await openBed({ perDay: 2 })
  })

  it('gets no third call: 503 with the time until 00:00 UTC, uncharged', async () => {
    const { bed, call, refusal } = limited
    await call()
    await call()
    const before = await bed.balance()
    const { code, spec, retryAfterSeconds, message } = await refusal()
    assert.deepEqual([code, spec.status, retryAfterSeconds], ['upstream_busy', 503, 12 * 3_600])
    assert.match(message, /has reached its daily limit.*Nothing was charged/)
    assert.deepEqual(
      [bed.vendor.requests.length, await bed.balance()],
      [2, { ...before, held: 0n }],
    )
    assert.equal((await bed.transactions()).at(-1)?.status, 'released')
    assert.equal((await verifyLedger(bed.database)).ok, true)
  })

  it('gets none from another process either, and test calls do not count', async () => {
    const { bed, call } = limited
    const other = callsBehind(bed, gatesOf(bed, 'second'))
    assert.equal(
      (await refusalOf(runCall(other, bed.request('semantic', 'search', { query: 'x' })))).code,
      'upstream_busy',
    )
    await call({ caller: bed.testCaller })
    assert.equal(bed.vendor.requests.length, 3)
  })

  it('gets calls again the next day', async () => {
    const { bed, call } = limited
    bed.clock.set(Date.UTC(2026, 9, 15))
    const before = bed.vendor.requests.length
    await call()
    assert.equal(bed.vendor.requests.length, before + 1)
  })
})

describe('a vendor that returns Retry-After', () => {
  let bed: CallBed
  let refusal: () => Promise<AppError>
  before(async () => {
    ;({ bed, refusal } = await openBed())
  })

  it('gets no call from any process for that time, and calls are uncharged', async () => {
    const other = gatesOf(bed, 'second')
    await other.ready
    const elsewhere = other.gateOf('semantic', undefined)
    bed.vendor.answerWith(() => ({ status: 429, headers: { 'retry-after': '120' }, body: {} }))
    assert.equal((await refusal()).retryAfterSeconds, 120)
    bed.clock.advance(20_000)
    assert.equal((await refusal()).retryAfterSeconds, 100)
    assert.equal(bed.vendor.requests.length, 1)
    while (elsewhere.limiter.isFree) await nextRound()
    const late = gatesOf(bed, 'third')
    while (late.gateOf('semantic', undefined).limiter.isFree) await nextRound()
    assert.deepEqual((await bed.balance()).held, 0n)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    bed.clock.advance(120_000)
    await runCall(callsBehind(bed, other), bed.request('semantic', 'search', { query: 'ledgers' }))
    assert.equal(bed.vendor.requests.length, 2)
  })
})

describe('a failing vendor', () => {
  it('gets no calls after five failures in a row, then a trial call, then all calls', async () => {
    const { bed, call, refusal } = await openBed()
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    for (let failure = 0; failure < 5; failure += 1)
      assert.equal((await refusal()).code, 'upstream_error')
    const left = await refusal()
    assert.deepEqual(
      [left.code, left.retryAfterSeconds, bed.vendor.requests.length],
      ['upstream_busy', 5, 5],
    )
    bed.clock.advance(5_000)
    assert.equal((await refusal()).code, 'upstream_error')
    assert.deepEqual([(await refusal()).retryAfterSeconds, bed.vendor.requests.length], [10, 6])
    bed.clock.advance(10_000)
    bed.vendor.answerWith(() => ({ body: FOUND }))
    await call()
    await call()
    assert.equal(bed.vendor.requests.length, 8)
    assert.equal((await bed.balance()).held, 0n)
  })

  it('keeps its calls if their input is the cause', async () => {
    const { bed, refusal } = await openBed()
    bed.vendor.answerWith(() => ({ status: 422, body: {} }))
    for (let time = 0; time < 8; time += 1)
      assert.equal((await refusal()).code, 'upstream_rejected')
    assert.equal(bed.vendor.requests.length, 8)
  })
})
