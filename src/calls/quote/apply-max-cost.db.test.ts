/** The effect of `max_cost_cents` on a call whose price counts units. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import type { Micros } from '../../lib/money.ts'
import { applyMaxCost } from './apply-max-cost.ts'
import type { CallAnswer } from '../call.ts'
import { runCall } from '../run.ts'

const CENT = 10_000n
const companies = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ name: `Company ${place}` }))

describe('a max_cost_cents below the worst case', () => {
  let bed: CallBed
  before(async () => {
    bed = await openCallBed()
  })
  beforeEach(() => bed.vendor.requests.splice(0))

  /** A vendor that returns the requested number of rows plus `more`. */
  function bring(more = 0): void {
    bed.vendor.answerWith(({ path }) => {
      const results = companies(
        Number(new URL(path, bed.vendor.url).searchParams.get('limit')) + more,
      )
      return { body: { results, credits_consumed: results.length } }
    })
  }

  const lookalikes = (body: object): Promise<CallAnswer> =>
    runCall(bed.calls, bed.request('companyfind', 'lookalikes', { query: 'bakeries', ...body }))
  const limitsAsked = (): (string | null)[] =>
    bed.vendor.requests.map(({ path }) => new URL(path, bed.vendor.url).searchParams.get('limit'))
  const lastHeld = async (): Promise<Micros | undefined> =>
    (await bed.transactions()).at(-1)?.held_micros

  async function refused(service: string, action: string, body: object): Promise<AppError> {
    const balance = await bed.balance()
    const error = await runCall(bed.calls, bed.request(service, action, body)).then(
      () => assert.fail('it was answered'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'max_cost_exceeded')
    assert.equal(bed.vendor.requests.length, 0)
    assert.deepEqual(await bed.balance(), balance)
    return error
  }

  it('lowers the count for the vendor, and charges the delivered rows', async () => {
    bring()
    const answer = await lookalikes({ limit: 50, max_cost_cents: 3 })
    assert.deepEqual(
      [limitsAsked(), answer.charged, await lastHeld()],
      [['3'], 3n * CENT, 3n * CENT],
    )
    bring(-1)
    assert.equal((await lookalikes({ limit: 50, max_cost_cents: 3 })).charged, 2n * CENT)
  })

  it('lowers a default count', async () => {
    bring()
    await lookalikes({ max_cost_cents: 4 })
    assert.deepEqual(limitsAsked(), ['4'])
  })

  it('holds no more than the lowered count can cost', async () => {
    bed.vendor.answerWith(() => ({ body: { data: [{ id: 1 }] } }))
    const answer = await runCall(
      bed.calls,
      bed.request('propdata', 'property-search', { state: 'VA', size: 25, max_cost_cents: 40 }),
    )
    assert.deepEqual(
      [(bed.vendor.requests[0]?.body as { size: number }).size, await lastHeld(), answer.charged],
      [2, 35n * CENT, 20n * CENT],
    )
  })

  it('is reported in the answer with the lowered count', async () => {
    bring()
    const told = async (more: object): Promise<unknown> =>
      (JSON.parse((await lookalikes({ limit: 50, ...more })).body) as { lowered?: unknown }).lowered
    assert.deepEqual(
      [await told({ max_cost_cents: 3 }), await told({ max_cost_cents: 50 }), await told({})],
      [{ limit: 3 }, undefined, undefined],
    )
  })

  it('also limits a vendor that returns more than requested', async () => {
    bring(5)
    assert.equal((await lookalikes({ limit: 50, max_cost_cents: 3 })).charged, 3n * CENT)
  })

  it('lowers nothing if the whole call fits', async () => {
    bring()
    for (const more of [{}, { max_cost_cents: 7 }, { max_cost_cents: 700 }])
      await lookalikes({ limit: 7, ...more })
    assert.deepEqual(limitsAsked(), ['7', '7', '7'])
  })

  it('lowers every limit of an external scraper, and its highest charge', async () => {
    bed.vendor.answerWith(() => ({ body: [{ id: 1 }] }))
    await runCall(
      bed.calls,
      bed.request('platform', 'youtube-search', {
        searchQueries: ['telescopes', 'mirrors'],
        maxItems: 1_000,
        max_cost_cents: 24,
      }),
    )
    const { path, body } = bed.vendor.requests[0] ?? assert.fail('nothing was asked')
    const { searchParams } = new URL(path, bed.vendor.url)
    assert.deepEqual(
      ['maxItems', 'limit', 'maxTotalChargeUsd'].map((name) => searchParams.get(name)),
      ['100', '100', '0.24'],
    )
    assert.equal((body as { maxResults: number }).maxResults, 50)
  })

  it('below the lowest price is rejected with that price, without a vendor request', async () => {
    const one = await refused('propdata', 'property-search', {
      state: 'VA',
      size: 25,
      max_cost_cents: 19,
    })
    assert.equal(one.details?.['price_cents'], 20)
    const ofEach = await refused('platform', 'x-search', {
      searchTerms: ['one', 'two', 'three'],
      maxItems: 600,
      max_cost_cents: 5,
    })
    assert.equal(ofEach.details?.['price_cents'], 6)
  })

  it('rejects a later page that it does not cover, because a smaller page starts elsewhere', async () => {
    assert.equal(
      (await refused('contactfind', 'people-search', { name: 'Ana', page: 2, max_cost_cents: 9 }))
        .details?.['price_cents'],
      10,
    )
  })

  it('shortens no list, and names the price of the whole list', async () => {
    const urls = Array.from({ length: 30 }, (_, place) => `https://a.example/${place}`)
    for (const [service, action, cost] of [
      ['semantic', 'contents', 3],
      ['agentic', 'extract', 20],
    ] as const) {
      const error = await refused(service, action, {
        urls: urls.slice(0, action === 'extract' ? 20 : 30),
        max_cost_cents: 2,
      })
      assert.equal(error.details?.['price_cents'], cost)
      assert.match(error.message, /^This call may cost/)
    }
  })

  it('below a flat price names that price, also if other inputs are priced per unit', async () => {
    const error = await refused('propdata', 'property-search', {
      state: 'VA',
      count: true,
      max_cost_cents: 1,
    })
    assert.equal(error.details?.['price_cents'], 2)
    assert.match(error.message, /^This call costs at least \$0\.02/)
  })

  it('is held for a price of the vendor, and never exceeded', async () => {
    bed.vendor.answerWith(() => ({ body: { data: [{ rating: 4 }], credits_consumed: 4 } }))
    const answer = await runCall(
      bed.calls,
      bed.request('altdata', 'employee-reviews', { company: 'example.com', max_cost_cents: 15 }),
    )
    assert.deepEqual([answer.charged, await lastHeld()], [15n * CENT, 15n * CENT])
  })

  it('below the cap is rejected with a vendor key if no reply has the cost', async () => {
    for (const [service, action, cost] of [
      ['regs', 'search', 3],
      ['vehicles', 'search', 10],
      ['drugs', 'search', 10],
      ['trials', 'search', 10],
      ['recalls', 'search', 10],
      ['trends', 'fetch', 2],
    ] as const) {
      const { example } = bed.calls.catalog.findAction(service, action).action
      const error = await refused(service, action, { ...example, max_cost_cents: cost - 1 })
      assert.deepEqual([service, error.details?.['price_cents']], [service, cost])
    }
    bed.vendor.answerWith(() => ({ body: { id: '41393' } }))
    const vehicle = (ceiling: number) => ({ id: '41393', max_cost_cents: ceiling })
    assert.equal((await refused('vehicles', 'get', vehicle(2))).details?.['price_cents'], 3)
    assert.equal(
      (await runCall(bed.calls, bed.request('vehicles', 'get', vehicle(3)))).charged,
      25_000n,
    )
  })

  it('is the budget of a job, and rejected below its minimum', () => {
    const {
      calls: { catalog, validator },
    } = bed
    const entry = catalog.findAction('core', 'onesearch-deep')
    const within = (maxCost: Micros) =>
      applyMaxCost(entry, {
        input: validator.validate(entry.action.input, { query: 'x' }),
        maxCost,
        confirmLoop: null,
        lane: null,
      })
    assert.equal(within(10n * CENT).amount, 10n * CENT)
    assert.throws(() => within(9n * CENT), { code: 'invalid_params', param: 'max_cost_cents' })
  })

  it('balances the ledger', async () => {
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    assert.equal((await bed.balance()).held, 0n)
  })
})
