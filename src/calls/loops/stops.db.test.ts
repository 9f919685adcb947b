/** Calls that the breaker stops: before their hold, three times, then the key is paused. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../../test/harness/beds/calls.ts'
import { AppError } from '../../errors/app-error.ts'
import { operatorOf } from '../../keys/operator.ts'
import { updateKey } from '../../keys/update-key.ts'
import { publicId } from '../../lib/ids.ts'
import type { Breaker } from '../../keys/policy/breaker.ts'
import type { CallRequest, Calls } from '../call.ts'
import { runCall } from '../run.ts'
import { createLoopWatch } from './loop-watch.ts'

let bed: CallBed
let calls: Calls
beforeEach(async () => {
  bed = await openCallBed()
  calls = { ...bed.calls, loops: createLoopWatch(bed.clock) }
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
})

type Sent = Partial<CallRequest> & { readonly breaker?: Breaker; readonly confirm?: string }

function search(
  query: string,
  { breaker = 'stop', confirm, ...extra }: Sent = {},
): ReturnType<typeof runCall> {
  const body = { query, ...(confirm === undefined ? {} : { confirm_loop: confirm }) }
  return runCall(
    calls,
    bed.request('semantic', 'search', body, { caller: { ...bed.caller, breaker }, ...extra }),
  )
}

async function repeat(count: number, sent: Sent = {}): Promise<void> {
  for (let place = 0; place < count; place += 1) await search('same', sent)
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => assert.fail('the call is not stopped'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof AppError, String(error))
  return error
}

const keyId = () => publicId('key', bed.caller.keyId)
const eventsOf = async () =>
  (
    await bed.database.query<{ type: string; data: Record<string, unknown> }>(
      "select type, data from events where type like 'key.%' order by sequence",
    )
  ).rows
const stateOf = async () =>
  (
    await bed.database.query<{ state: string }>('select state from budgets where id = $1', [
      bed.caller.budgetId,
    ])
  ).rows[0]?.state

describe('a call that continues a loop', () => {
  it('is rejected before its hold with a token, uncharged, and reaches no vendor', async () => {
    await repeat(5)
    const before = [await bed.balance(), bed.vendor.requests.length, await bed.transactions()]
    const { code, spec, details, message } = await refusal(search('same'))
    assert.deepEqual([code, spec.status], ['loop_suspected', 409])
    assert.match(message, /same call gave the same answer 5 times/)
    assert.match(String(details?.['confirm']), /^[\w-]{12}$/)
    assert.deepEqual(
      [details?.['rule'], details?.['seen'], details?.['stops'], details?.['pauses_at']],
      ['repeated_call', 5, 1, 3],
    )
    assert.deepEqual(
      [await bed.balance(), bed.vendor.requests.length, await bed.transactions()],
      before,
    )
    assert.equal((await search('another')).replayed, false)
  })

  it('passes once with the token', async () => {
    await repeat(5)
    const confirm = String((await refusal(search('same'))).details?.['confirm'])
    assert.equal((await refusal(search('same', { confirm: 'another' }))).code, 'loop_suspected')
    assert.equal((await search('same', { confirm })).charged > 0n, true)
    assert.equal((await refusal(search('same', { confirm }))).code, 'loop_suspected')
  })

  it('pauses the key at the third stop, in one commit with key.loop_suspected', async () => {
    await repeat(5)
    await refusal(search('same'))
    await refusal(search('same'))
    assert.deepEqual([await stateOf(), await eventsOf()], ['open', []])
    const last = await refusal(search('same'))
    assert.deepEqual(
      [last.code, last.details?.['paused'], last.details?.['confirm']],
      ['loop_suspected', true, undefined],
    )
    assert.equal(await stateOf(), 'paused')
    const [suspected, paused, ...others] = await eventsOf()
    assert.deepEqual(
      [suspected?.type, paused?.type, others],
      ['key.loop_suspected', 'key.paused', []],
    )
    const { key_id, rule, action, seen, spent_micros } = suspected?.data ?? {}
    assert.deepEqual(
      { key_id, rule, action, seen, spent_micros },
      {
        key_id: keyId(),
        rule: 'repeated_call',
        action: 'semantic/search',
        seen: 5,
        spent_micros: Number(
          (await bed.transactions()).reduce((sum, one) => sum - one.amount_micros, 0n),
        ),
      },
    )
    const { rows: changes } = await bed.database.query(
      "select author, origin from changes where subject = 'limit' and subject_id = $1",
      [bed.caller.keyId],
    )
    assert.deepEqual(changes, [{ author: 'gateway', origin: 'loop breaker' }])
    assert.equal((await refusal(search('same'))).code, 'api_key_paused')
  })

  it('is possible again after the holder resumes the key', async () => {
    await repeat(5)
    for (let stops = 0; stops < 3; stops += 1) await refusal(search('same'))
    await updateKey(
      { database: bed.database, now: bed.clock, forget: () => {} },
      operatorOf(bed.caller.accountId),
      keyId(),
      { paused: false },
    )
    await repeat(5)
    assert.equal((await refusal(search('same'))).details?.['stops'], 1)
  })

  it('is stopped without the database being able to pause the key', async () => {
    await repeat(5)
    for (let stops = 0; stops < 2; stops += 1) await refusal(search('same'))
    const database = {
      ...calls.database,
      transaction: () => Promise.reject(new AppError('overloaded')),
    }
    calls = { ...calls, database }
    assert.equal((await refusal(search('same'))).code, 'loop_suspected')
  })
})

describe('calls that never stop a key', () => {
  it('are calls of a key with the breaker "warn" or "off"', async () => {
    await repeat(8, { breaker: 'warn' })
    await repeat(8, { breaker: 'off' })
    assert.equal((await bed.transactions()).length, 16)
  })

  it('are replays: the stored answer is returned, and the stop is not counted', async () => {
    const idempotency = { key: 'one', fingerprint: 'aa'.repeat(32) }
    await search('same', { idempotency })
    await repeat(4)
    for (let times = 0; times < 5; times += 1)
      assert.equal((await search('same', { idempotency })).replayed, true)
    assert.equal((await refusal(search('same'))).details?.['stops'], 1)
  })

  it('are free calls', async () => {
    const free = (): CallRequest =>
      bed.request(
        'core',
        'result',
        { job_id: 'job_1' },
        {
          caller: { ...bed.caller, breaker: 'stop' },
        },
      )
    for (let times = 0; times < 20; times += 1)
      assert.notEqual((await refusal(runCall(calls, free()))).code, 'loop_suspected')
  })

  it('are calls that fail because of the vendor', async () => {
    bed.vendor.answerWith(() => ({ status: 500 }))
    for (let times = 0; times < 20; times += 1)
      assert.notEqual((await refusal(search('same'))).code, 'loop_suspected')
  })

  it('are calls of buyers without an account', async () => {
    await repeat(8, { isSold: true })
    assert.equal((await bed.transactions()).length, 8)
  })
})
