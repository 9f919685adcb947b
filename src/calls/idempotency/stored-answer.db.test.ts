import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import type { LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { createJobWaiters } from '../../jobs/waiters.ts'
import { RESULT_RETENTION_MS } from '../../jobs/job.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { ANSWER_STORED_MS, sweepAnswers } from './answers.ts'
import { storedAnswerHandler } from './stored-answer.ts'
import type { CallRequest } from '../call.ts'
import { runCall } from '../run.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const local = new Map<string, LocalHandler>()
const bed = await openCallBed({ local })
local.set('media.result', storedAnswerHandler(bed.database, createJobWaiters(), 'media/generate'))
bed.vendor.answerWith(() => ({ body: { images: [{ url: 'https://vendor.example/1.png' }] } }))

const boat = { model: 'nano-banana', prompt: 'A paper boat.' }
type Answer = {
  readonly data: { readonly transaction_id: string; readonly images: unknown }
  readonly charged_micros: number
  readonly request_id: string
}

async function generate(extra: Partial<CallRequest> = {}): Promise<Answer> {
  return JSON.parse(
    (await runCall(bed.calls, bed.request('media', 'generate', boat, extra))).body,
  ) as Answer
}

async function replay(transactionId: string, extra: Partial<CallRequest> = {}): Promise<Answer> {
  const { body } = await runCall(
    bed.calls,
    bed.request('media', 'result', { transaction_id: transactionId }, extra),
  )
  const answer = JSON.parse(body) as Answer
  assertFits('media/result', answer.data)
  return answer
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unknown_transaction'

describe('the answer of a model call', () => {
  it('can be read again by its transaction_id, free and without a vendor request', async () => {
    const made = await generate()
    const { balance } = await bed.balance()
    const asked = bed.vendor.requests.length
    const again = await replay(made.data.transaction_id)
    assert.deepEqual(again.data, made.data)
    assert.deepEqual(
      [again.charged_micros, (await bed.balance()).balance, bed.vendor.requests.length],
      [0, balance, asked],
    )
    assert.equal(
      made.data.transaction_id.slice(3),
      made.request_id.slice(4),
      'the transaction of the books',
    )
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('is a new paid render for a repeated request, unless it has the same Idempotency-Key', async () => {
    const asked = bed.vendor.requests.length
    const [first, second] = [await generate(), await generate()]
    assert.notEqual(first.data.transaction_id, second.data.transaction_id)
    const idempotency = { key: 'once', fingerprint: 'ab'.repeat(32) }
    const keyed = await generate({ idempotency })
    assert.equal((await generate({ idempotency })).data.transaction_id, keyed.data.transaction_id)
    assert.equal(bed.vendor.requests.length - asked, 3)
    assert.deepEqual((await replay(keyed.data.transaction_id)).data, keyed.data)
  })

  it('is stored as long as the result of a job', async () => {
    const made = await generate()
    await sweepAnswers(bed.database, bed.clock() + ANSWER_STORED_MS + 1)
    assert.deepEqual((await replay(made.data.transaction_id)).data, made.data)
    await sweepAnswers(bed.database, bed.clock() + RESULT_RETENTION_MS + 1)
    await assert.rejects(replay(made.data.transaction_id), isUnknown)
  })

  it('is visible only to the account that paid for it, and never across live and test keys', async () => {
    const made = await generate()
    await assert.rejects(replay(made.data.transaction_id, { caller: bed.testCaller }), isUnknown)
    await assert.rejects(
      replay(made.data.transaction_id, {
        caller: { ...bed.caller, accountId: newId(bed.clock()) },
      }),
      isUnknown,
    )
    await assert.rejects(replay('tx_unknown'), isUnknown)
  })

  it('is neither stored nor charged when the vendor failed', async () => {
    const { balance } = await bed.balance()
    bed.vendor.answerWith(() => ({ status: 500, body: { detail: 'Out of order.' } }))
    const request = bed.request('media', 'generate', boat)
    await assert.rejects(runCall(bed.calls, request), { code: 'upstream_error' })
    await assert.rejects(replay(`tx_${request.id}`), isUnknown)
    assert.deepEqual(await bed.balance(), { balance, held: 0n })
    bed.vendor.answerWith(() => ({ body: { images: [{ url: 'https://vendor.example/1.png' }] } }))
  })

  it('has no transaction_id and is not stored for a buyer without an account', async () => {
    const sold = await generate({ isSold: true })
    assert.equal(sold.data.transaction_id, undefined)
  })
})
