/** Texts that travel in the address of a vendor's request. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openCallBed } from '../../../test/harness/calls.ts'
import { service as socialread } from '../../vendors/socialread/record.ts'
import { runCall } from '../run.ts'

it('a text too long for any address is refused by its name, before the vendor is asked and without a charge', async () => {
  const bed = await openCallBed({ services: [socialread] })
  bed.vendor.answerWith(() => ({ body: { data: [{ id: '1' }] } }))
  const call = (uniqueId: string) =>
    runCall(
      bed.calls,
      bed.request('socialread', 'fetch', {
        endpoint: '/api/v1/tiktok/web/fetch_user_profile',
        uniqueId,
      }),
    )
  const before = await bed.balance()
  // Three bytes a letter, each three characters in an address.
  await assert.rejects(call('漢'.repeat(2_000)), { code: 'invalid_params', param: 'uniqueId' })
  assert.deepEqual([bed.vendor.requests.length, await bed.balance()], [0, before])
  await call('漢'.repeat(1_000))
  assert.equal(bed.vendor.requests.length, 1)
})
