/** A vendor that quotes its price first, and a caller with a lower limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service as newsletter } from '../../vendors/newsletter/record.ts'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { runCall } from '../run.ts'

test('rejects a quote above max_cost_cents before the purchase, and settles a lower one', async () => {
  const bed = await openCallBed({ services: [newsletter] })
  const quote = Buffer.from(JSON.stringify({ accepts: [{ amount: '300000' }] })).toString('base64')
  bed.vendor.answerWith(({ method }) =>
    method === 'GET'
      ? { status: 402, headers: { 'payment-required': quote } }
      : { body: { title: 'A post', paymentInfo: { amountUsd: 0.3 } } },
  )
  const call = (maxCost: number) =>
    runCall(
      bed.calls,
      bed.request('newsletter', 'post', {
        publication: 'example.com',
        post: 'a',
        max_cost_cents: maxCost,
      }),
    )

  await assert.rejects(call(29), { code: 'max_cost_exceeded' })
  assert.deepEqual(
    bed.vendor.requests.map(({ method }) => method),
    ['GET'],
  )
  assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })

  assert.equal((await call(30)).charged, 300_000n)
  assert.deepEqual(await bed.balance(), { balance: 1_700_000n, held: 0n })
})

test('charges the quote if the vendor reports no cost, and never above the hold', async () => {
  const bed = await openCallBed({ services: [newsletter] })
  const quote = Buffer.from(JSON.stringify({ accepts: [{ amount: '402000' }] })).toString('base64')
  const charged = async (answer: object) => {
    bed.vendor.answerWith(({ method }) =>
      method === 'GET'
        ? { status: 402, headers: { 'payment-required': quote } }
        : { body: { title: 'A post', ...answer } },
    )
    return (
      await runCall(
        bed.calls,
        bed.request('newsletter', 'post', {
          publication: 'example.com',
          post: 'a',
          max_cost_cents: 45,
        }),
      )
    ).charged
  }
  assert.equal(await charged({}), 410_000n)
  assert.equal(await charged({ paymentInfo: { amountUsd: 'unknown' } }), 410_000n)
  assert.equal(await charged({ paymentInfo: { amountUsd: 0.2 } }), 200_000n)
  assert.equal(await charged({ paymentInfo: { amountUsd: 0.6 } }), 450_000n)
})
