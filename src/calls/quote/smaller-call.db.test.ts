/** Advice for a call that the credit or the key's limit does not cover. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openJobBed } from '../../../test/harness/beds/jobs.ts'
import { createCatalog } from '../../catalog/index.ts'
import { AppError } from '../../errors/app-error.ts'
import { runCall } from '../run.ts'
import { rejectWithSmallerCall } from './smaller-call.ts'

const bed = await openJobBed()

async function refusal(
  service: string,
  action: string,
  body: object,
  code = 'credits_required',
): Promise<AppError> {
  const error = await runCall(bed.calls, bed.request(service, action, body)).then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError)
  assert.equal(error.code, code)
  return error
}

describe('a rejection for missing credit', () => {
  it('names the count and the max_cost_cents of a smaller call', async () => {
    const tam = { query: 'bakeries' }
    const cents = Number((await bed.balance()).balance / 10_000n)
    const { fix } = await refusal('companyfind', 'tam-build', tam)
    assert.ok(
      fix.startsWith(
        `Send "max_cost_cents": ${cents}, which lowers "max_companies" from 500 to ${cents}. `,
      ),
      fix,
    )
    const { body } = await runCall(
      bed.calls,
      bed.request('companyfind', 'tam-build', { ...tam, max_cost_cents: cents }),
    )
    assert.deepEqual((JSON.parse(body) as { lowered: unknown }).lowered, { max_companies: cents })
  })

  it('has no such advice if all credit is held or the call cannot be smaller', async () => {
    for (const [service, action, body, code] of [
      ['companyfind', 'tam-build', { query: 'x' }, 'credits_required'],
      ['semantic', 'search', { query: 'x' }, 'room_held'],
    ] as const) {
      const { fix } = await refusal(service, action, body, code)
      assert.doesNotMatch(fix, /max_cost_cents/)
    }
  })
})

describe('a rejection by the limit of a key', () => {
  const { action } = createCatalog().findAction('companyfind', 'tam-build')
  const limit = (spent: number) =>
    new AppError('api_key_limit_exceeded', 'Too much.', {
      fix: 'Wait.',
      details: { ceiling_cents: 50, spent_micros: spent, held_micros: 100_000 },
    })
  const assertFix = (spent: number, fix: string): void =>
    assert.throws(
      () => rejectWithSmallerCall(limit(spent), action, { query: 'x', max_companies: 500 }),
      { code: 'api_key_limit_exceeded', fix },
    )

  it('names the remaining limit of the key', () => {
    assertFix(
      95_000,
      'Send "max_cost_cents": 30, which lowers "max_companies" from 500 to 30. Wait.',
    )
    assertFix(400_000, 'Wait.')
  })

  it('names the budget of a job', () => {
    const deep = createCatalog().findAction('core', 'onefind-deep').action
    assert.throws(
      () => rejectWithSmallerCall(limit(100_000), deep, { query: 'bakers', limit: 15 }),
      { fix: 'Send "max_cost_cents": 30, which is then the budget of the job. Wait.' },
    )
  })
})
