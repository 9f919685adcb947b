/** Input that becomes part of the URL of a vendor's request. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { service as socialread } from '../../vendors/socialread/record.ts'
import { runCall } from '../run.ts'

it('rejects text that is too long for a URL by its name, before any request and uncharged', async () => {
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
  // Each character has three bytes, and each byte is three characters in a URL.
  await assert.rejects(call('漢'.repeat(2_000)), { code: 'invalid_params', param: 'uniqueId' })
  assert.deepEqual([bed.vendor.requests.length, await bed.balance()], [0, before])
  await call('漢'.repeat(1_000))
  assert.equal(bed.vendor.requests.length, 1)
})
