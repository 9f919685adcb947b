/** Calls whose body names the price that the caller expects. */
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { priceIdOf } from '../../catalog/prices/price-id.ts'
import { AppError } from '../../errors/app-error.ts'
import { runCall } from '../run.ts'

const OTHER = 'price_000000000000'

describe('a call with price_id', () => {
  let bed: CallBed
  before(async () => {
    bed = await openCallBed()
  })
  beforeEach(() => {
    bed.vendor.requests.splice(0)
    bed.vendor.answerWith(() => ({ body: { results: [{ name: 'One' }], credits_consumed: 1 } }))
  })

  const lookalikes = (more: object) =>
    runCall(
      bed.calls,
      bed.request('companyfind', 'lookalikes', { query: 'bakeries', limit: 1, ...more }),
    )
  const current = () => priceIdOf(bed.calls.catalog.findAction('companyfind', 'lookalikes'))

  it('runs at the expected price and is charged as without it', async () => {
    assert.equal(
      (await lookalikes({ price_id: current() })).charged,
      (await lookalikes({})).charged,
    )
  })

  it('is rejected at another price, without a hold and a vendor request', async () => {
    const balance = await bed.balance()
    const error = await lookalikes({ price_id: OTHER }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'price_changed')
    assert.deepEqual(error.details, { price_id: current(), expected_price_id: OTHER })
    assert.equal(bed.vendor.requests.length, 0)
    assert.deepEqual(await bed.balance(), balance)
  })

  it('is invalid if the id has another form', async () => {
    for (const price_id of ['', 'price_1', 5, null])
      await assert.rejects(lookalikes({ price_id }), { code: 'invalid_params', param: 'price_id' })
  })

  it('accepts the id of the endpoint or of its whole action', async () => {
    const entry = bed.calls.catalog.findAction('trends', 'fetch')
    const { example } = entry.action
    bed.vendor.answerWith(() => ({ body: { data: [1] } }))
    const send = (price_id: string) =>
      runCall(bed.calls, bed.request('trends', 'fetch', { ...example, price_id }))
    for (const id of [priceIdOf(entry), priceIdOf(entry, example['endpoint'])])
      assert.equal((await send(id)).status, 200)
    await assert.rejects(send(OTHER), { code: 'price_changed' })
  })

  it('leaves the id of the applied price in the transaction, also of a failed call', async () => {
    await lookalikes({})
    bed.vendor.answerWith(() => ({ status: 500 }))
    await assert.rejects(lookalikes({}))
    const { rows } = await bed.database.query<{ status: string; price_id: string | null }>(
      "select status, price_id from transactions where service = 'companyfind' order by sequence desc limit 2",
    )
    assert.deepEqual(rows, [
      { status: 'released', price_id: current() },
      { status: 'settled', price_id: current() },
    ])
  })

  it('leaves it in the transaction of a job while it is running', async () => {
    const entry = bed.calls.catalog.findAction('core', 'onescrape-deep')
    await runCall(bed.calls, bed.request('core', 'onescrape-deep', { urls: ['https://a.example'] }))
    const { rows } = await bed.database.query(
      "select kind, price_id from open_calls where kind = 'job'",
    )
    assert.deepEqual(rows, [{ kind: 'job', price_id: priceIdOf(entry) }])
  })
})
