/** The events of jobs, and their delivery to a `webhook_url`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSearchingBed, search } from '../../../test/harness/beds/searching-jobs.ts'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { createDeliveryWorker } from '../../events/delivery/delivery-worker.ts'
import { signedHeaders } from '../../events/delivery/sign.ts'
import { listEvents } from '../../events/list-events.ts'
import { createSecretBox } from '../../events/webhooks/secrets.ts'
import { createGuard } from '../../upstream/guard.ts'
import { runCall } from '../run.ts'

const bed = await openSearchingBed()
const receiver = await startVendor()
const secrets = createSecretBox(Buffer.alloc(32, 7))
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
const deliveries = createDeliveryWorker({
  database: bed.database,
  now: bed.clock,
  guard,
  secrets,
  publicUrl: 'https://gate.example',
  userAgent: 'Tollgate-Webhooks/1.0',
  sendMail: null,
  concurrency: 4,
  random: () => 0.5,
  onError: (error) => bed.troubles.push(error),
})
cleanUp(async () => {
  await deliveries.stop()
  await guard.close()
})

const url = `${receiver.url}/done`

async function eventOf(jobId: string): Promise<readonly unknown[]> {
  const page = { after: null, limit: 1_000, types: ['job.*'] }
  const { events } = await listEvents(bed.database, bed.caller, page)
  return events
    .filter(({ data }) => data['job_id'] === jobId)
    .map(({ type, data }) => [type, data['charged_micros'], data['error_code'], data['action']])
}

describe('the end of a job', () => {
  it('is posted to its webhook_url, signed with the secret of its key', async () => {
    const jobId = await bed.submit({ webhook_url: url })
    await bed.hire().wake()
    await bed.ended(jobId)
    receiver.requests.length = 0
    await deliveries.drain()
    const [request] = receiver.requests
    const headers = request?.headers ?? {}
    const body = JSON.stringify(request?.body)
    assert.deepEqual(
      [request?.path, (request?.body as { type: string }).type],
      ['/done', 'job.succeeded'],
    )
    const expected = signedHeaders(
      {
        id: String(headers['webhook-id']),
        timestamp: Number(headers['webhook-timestamp']),
        body,
      },
      [secrets.jobSecret(bed.caller.keyId)],
    )
    assert.equal(headers['webhook-signature'], expected['webhook-signature'])
    assert.equal(body.includes('results'), false)
  })

  it('is one event: succeeded, failed or cancelled', async () => {
    const worker = bed.hire()
    const succeeded = await bed.submit()
    await worker.wake()
    await bed.ended(succeeded)
    bed.handleWith(async () => failed('no_people', 'Nobody was found.'))
    const lost = await bed.submit()
    await worker.wake()
    await bed.ended(lost)
    bed.handleWith(search)
    // After a job, a worker looks for the next one.
    await worker.stop(0)
    const cancelled = await bed.submit()
    await bed.cancel(cancelled)
    assert.deepEqual(
      [await eventOf(succeeded), await eventOf(lost), await eventOf(cancelled)],
      [
        [['job.succeeded', 20_000, null, 'work/deep']],
        [['job.failed', 0, 'no_people', 'work/deep']],
        [['job.cancelled', 0, 'job_cancelled', 'work/deep']],
      ],
    )
  })
})

describe('webhook_url', () => {
  it('must be a public web address, and the call a job', async () => {
    const guarded = {
      ...bed.calls,
      checkAddress: (address: string, param: string) => {
        if (address.includes('10.0.0.1')) throw refusedAddress(param)
      },
    }
    for (const wrong of ['ftp://a.example', 'http://10.0.0.1/', 7])
      await assert.rejects(
        runCall(guarded, bed.request('work', 'deep', { webhook_url: wrong })),
        (error: { param?: string }) => error.param === 'webhook_url',
        String(wrong),
      )
    await assert.rejects(
      runCall(bed.calls, bed.request('semantic', 'search', { query: 'x', webhook_url: url })),
      refusedWith('invalid_params', 'webhook_url'),
    )
  })
})

function refusedAddress(param: string): Error {
  try {
    guard.checkUrl('http://10.0.0.1/')
  } catch (error) {
    return Object.assign(error as Error, { param })
  }
  assert.fail('the guard rejects a private address')
}
