/** Deadlines from the X-Request-Timeout-Ms header. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { openCallBed } from '../../../test/harness/beds/calls.ts'
import { refusal } from '../../../test/harness/refusal.ts'
import { runCall } from '../../calls/run.ts'
import { AppError } from '../../errors/app-error.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { DirectRequest } from './direct/direct-request.ts'
import { requestEndOf } from './request-timeout.ts'

const requestWith = (value?: string) =>
  ({
    headers: value === undefined ? {} : { 'x-request-timeout-ms': value },
  }) as unknown as FastifyRequest
const codeOf = (value: string, expectedWaitMs = 0): string => {
  try {
    requestEndOf(requestWith(value), { expectedWaitMs: () => expectedWaitMs })
    return 'accepted'
  } catch (error) {
    return (error as AppError).code
  }
}

describe('the timeout of a caller', () => {
  it('is an optional whole number of milliseconds up to a day', () => {
    assert.equal(requestEndOf(requestWith(), { expectedWaitMs: () => 9_999 }), undefined)
    assert.deepEqual(
      ['1', '5000', '86400000'].map((value) => codeOf(value)),
      ['accepted', 'accepted', 'accepted'],
    )
    assert.deepEqual(
      ['0', '-1', '1.5', '1e3', '', 'soon', '86400001'].map((value) => codeOf(value)),
      Array.from({ length: 7 }, () => 'invalid_params'),
    )
  })

  it('rejects a call that would wait longer, before any lookup', () => {
    assert.deepEqual([codeOf('500', 250), codeOf('499', 250)], ['accepted', 'overloaded'])
  })

  it('counts from the arrival of a call that waited for capacity', () => {
    const call = (arrivedMs: number) => ({
      ...requestWith('1000'),
      raw: new DirectRequest(
        null as never,
        { url: '/', headers: {}, headBytes: 0, bodyBytes: 0 },
        Buffer.alloc(0),
        arrivedMs,
      ),
    })
    const endsMs = (arrivedMs: number) =>
      requestEndOf(call(arrivedMs) as unknown as FastifyRequest, { expectedWaitMs: () => 0 })
    const arrivedMs = performance.now() - 400
    assert.equal(endsMs(arrivedMs), arrivedMs + 1_000)
    assert.throws(
      () => endsMs(performance.now() - 1_100),
      (error: unknown) => error instanceof AppError && error.code === 'overloaded',
    )
  })

  it('ends a call before its vendor request, without a charge', async () => {
    const bed = await openCallBed()
    const before = await bed.balance()
    await refusal(
      runCall(
        bed.calls,
        bed.request('semantic', 'search', { query: 'ledgers' }, { endsMs: performance.now() }),
      ),
      'overloaded',
    )
    assert.equal(bed.vendor.requests.length, 0)
    assert.deepEqual(await bed.balance(), before)
    assert.ok((await verifyLedger(bed.database)).ok)
    bed.vendor.answerWith(() => ({
      body: { results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }] },
    }))
    await runCall(
      bed.calls,
      bed.request(
        'semantic',
        'search',
        { query: 'ledgers' },
        { endsMs: performance.now() + 600_000 },
      ),
    )
    assert.equal(bed.vendor.requests.length, 1)
  })
})
