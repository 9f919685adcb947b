import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { openCallBed, type CallBed } from '../../test/harness/beds/calls.ts'
import { refusal } from '../../test/harness/refusal.ts'
import { createAccount } from '../accounts/create-account.ts'
import type { Hop, LocalHandler } from '../catalog/vocabulary/handlers.ts'
import { failed } from '../catalog/vocabulary/outcome.ts'
import { AppError } from '../errors/app-error.ts'
import { findCaller } from '../keys/find-caller.ts'
import { hashSecret } from '../keys/format.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { newId } from '../lib/ids.ts'
import { runCall } from './run.ts'

const CENT = 10_000n
const FOUND = {
  requestId: 'r',
  results: [
    { id: 'https://a.example/', url: 'https://a.example/', title: 'A', extra: { kept: [1, 2] } },
  ],
  costDollars: { total: 0.007 },
}
const QUERY = { query: 'ledgers' }

describe('a paid call', () => {
  let bed: CallBed
  let askedBefore: number
  let balanceBefore: bigint

  before(async () => {
    bed = await openCallBed()
  })
  beforeEach(async () => {
    bed.vendor.answerWith(() => ({ body: FOUND }))
    askedBefore = bed.vendor.requests.length
    balanceBefore = (await bed.balance()).balance
  })

  const asked = (): number => bed.vendor.requests.length - askedBefore
  async function assertUncharged(): Promise<void> {
    assert.deepEqual(await bed.balance(), { balance: balanceBefore, held: 0n })
    assert.equal((await verifyLedger(bed.database)).ok, true)
  }

  it('that succeeds is charged its price once and returns the vendor body unchanged', async () => {
    const request = bed.request('semantic', 'search', QUERY)
    const answer = await runCall(bed.calls, request)
    assert.deepEqual(JSON.parse(answer.body), {
      ok: true,
      data: { ...FOUND, content_trust: 'untrusted' },
      charged_cents: 1,
      charged_micros: 10_000,
      request_id: `req_${request.id}`,
    })
    assert.equal(answer.charged, CENT)
    assert.deepEqual(await bed.balance(), { balance: balanceBefore - CENT, held: 0n })
  })

  it('that fails upstream is uncharged and returns the vendor message without the key', async () => {
    bed.vendor.answerWith(() => ({
      status: 500,
      body: { error: 'it broke for key vendor-secret-key', tag: 'INTERNAL' },
    }))
    const error = await refusal(
      runCall(bed.calls, bed.request('semantic', 'search', QUERY)),
      'upstream_error',
    )
    assert.deepEqual(error.details, {
      upstream: {
        service: 'semantic',
        status: 500,
        code: 'INTERNAL',
        message: 'it broke for key [hidden]',
      },
    })
    await assertUncharged()
    const last = (await bed.transactions()).at(-1)
    assert.deepEqual(
      [last?.status, last?.amount_micros, last?.error_code],
      ['released', 0n, 'upstream_error'],
    )
  })

  it('is not charged if the vendor breaks the connection', async () => {
    bed.vendor.answerWith(() => 'reset')
    await refusal(runCall(bed.calls, bed.request('semantic', 'search', QUERY)), 'upstream_error')
    await assertUncharged()
  })

  it("fails as the operator's problem if the vendor requires payment", async () => {
    bed.vendor.answerWith(() => ({
      status: 402,
      body: { error: 'no credits', tag: 'NO_MORE_CREDITS' },
    }))
    await refusal(runCall(bed.calls, bed.request('semantic', 'search', QUERY)), 'upstream_payment')
    await assertUncharged()
  })

  it('that finds nothing succeeds and is not charged', async () => {
    bed.vendor.answerWith(() => ({ body: { requestId: 'r', results: [] } }))
    const answer = await runCall(bed.calls, bed.request('semantic', 'search', QUERY))
    assert.equal(answer.charged, 0n)
    await assertUncharged()
  })

  it('fails as a vendor failure if the reply has an unknown format', async () => {
    bed.vendor.answerWith(() => ({
      body: '<html>maintenance</html>',
      headers: { 'content-type': 'text/html' },
    }))
    await refusal(runCall(bed.calls, bed.request('semantic', 'search', QUERY)), 'upstream_error')
    await assertUncharged()
  })

  it('fails as a vendor failure if the reply is nested too deeply', async () => {
    bed.vendor.answerWith(() => ({
      body: `{"requestId":"r","results":[{"id":"a","url":"https://a.example/","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
    }))
    await refusal(runCall(bed.calls, bed.request('semantic', 'search', QUERY)), 'upstream_error')
    await assertUncharged()
    assert.equal((await bed.transactions()).at(-1)?.error_code, 'upstream_error')
  })

  it('with a bad parameter contacts no vendor, holds nothing and writes no transaction', async () => {
    const rows = (await bed.transactions()).length
    const error = await refusal(
      runCall(bed.calls, bed.request('semantic', 'search', { query: 'x', numResult: 3 })),
      'invalid_params',
    )
    assert.equal(error.param, 'numResult')
    assert.match(error.fix, /numResults/)
    assert.equal(asked(), 0)
    assert.equal((await bed.transactions()).length, rows)
    await assertUncharged()
  })

  it('that takes all of its time is not swept within the minute for its settlement', async () => {
    const { timeoutMs } = bed.calls.catalog.findAction('semantic', 'search').action
    bed.vendor.answerWith(async () => {
      bed.clock.advance(timeoutMs + 59_000)
      assert.equal(await bed.calls.ledger.sweep(), 0)
      return { body: FOUND }
    })
    assert.equal((await runCall(bed.calls, bed.request('semantic', 'search', QUERY))).charged, CENT)
  })

  it('that was given up before its vendor replied is uncharged and returns no answer', async () => {
    bed.vendor.answerWith(async () => {
      bed.clock.advance(600_000)
      assert.equal(await bed.calls.ledger.sweep(), 1)
      return { body: FOUND }
    })
    await refusal(runCall(bed.calls, bed.request('semantic', 'search', QUERY)), 'upstream_timeout')
    await assertUncharged()
  })

  for (const body of [undefined, null, [], 'text', 7, true]) {
    it(`with ${JSON.stringify(body) ?? 'no body'} instead of an object is rejected`, async () => {
      await refusal(runCall(bed.calls, bed.request('semantic', 'search', body)), 'invalid_params')
      assert.equal(asked(), 0)
    })
  }

  it('without a body returns the missing parameter', async () => {
    assert.equal(
      (
        await refusal(
          runCall(bed.calls, bed.request('semantic', 'search', undefined)),
          'invalid_params',
        )
      ).param,
      'query',
    )
  })

  it('with a misspelt max_cost_cents returns the right name and calls no vendor', async () => {
    for (const name of ['maxCostCents', 'max_cost', 'MAX_COST_CENTS', 'max_cost_usd']) {
      const error = await refusal(
        runCall(bed.calls, bed.request('semantic', 'search', { ...QUERY, [name]: 5 })),
        'invalid_params',
      )
      assert.equal(error.param, name)
      assert.match(error.fix, /`max_cost_cents`/)
    }
    assert.equal(asked(), 0)
  })

  for (const ceiling of [-1, 1.5, '5', null, Number.MAX_VALUE]) {
    it(`with max_cost_cents ${JSON.stringify(ceiling)} is rejected with the field`, async () => {
      const error = await refusal(
        runCall(
          bed.calls,
          bed.request('semantic', 'search', { ...QUERY, max_cost_cents: ceiling }),
        ),
        'invalid_params',
      )
      assert.equal(error.param, 'max_cost_cents')
    })
  }

  it('is rejected before any vendor request if its price is above max_cost_cents', async () => {
    const error = await refusal(
      runCall(bed.calls, bed.request('semantic', 'search', { ...QUERY, max_cost_cents: 0 })),
      'max_cost_exceeded',
    )
    assert.equal(error.details?.['price_cents'], 1)
    assert.equal(error.details?.['max_cost_cents'], 0)
    assert.equal(asked(), 0)
    await assertUncharged()
  })

  it('of a model is rejected if its longest answer exceeds max_cost_cents', async () => {
    const asked = {
      model: 'claude-opus-5-5',
      max_tokens: 4_000,
      messages: [{ role: 'user', content: 'Hello.' }],
      max_cost_cents: 1,
    }
    const error = await refusal(
      runCall(bed.calls, bed.request('llmnative-a', 'messages', asked)),
      'max_cost_exceeded',
    )
    assert.deepEqual([error.details?.['price_cents'], error.details?.['max_cost_cents']], [9, 1])
    assert.match(error.message, /^This call may cost \$0\.08/)
    const nothing = await refusal(
      runCall(
        bed.calls,
        bed.request('router2', 'chat', {
          model: 'any/model',
          messages: asked.messages,
          max_cost_cents: 0,
        }),
      ),
      'max_cost_exceeded',
    )
    assert.match(nothing.fix, /at least 1,/)
  })

  it('for an unknown service or action is 404 with suggestions', async () => {
    const service = await refusal(
      runCall(bed.calls, bed.request('semantc', 'search', QUERY)),
      'unknown_service',
    )
    assert.deepEqual(service.details?.['suggestions'], ['semantic'])
    const action = await refusal(
      runCall(bed.calls, bed.request('semantic', 'serch', QUERY)),
      'unknown_action',
    )
    assert.equal((action.details?.['suggestions'] as string[])[0], 'semantic/search')
  })

  it('above the balance is rejected with the amounts, and contacts no vendor', async () => {
    const poor = await openCallBed()
    await poor.database.query(
      "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
      [poor.clock(), newId(poor.clock()), poor.caller.walletId, -1_995_000n],
    )
    const error = await refusal(
      runCall(poor.calls, poor.request('semantic', 'search', QUERY)),
      'credits_required',
    )
    assert.deepEqual(
      [
        error.details?.['required_cents'],
        error.details?.['balance_cents'],
        error.details?.['held_cents'],
      ],
      [1, 0, 0],
    )
    assert.equal(poor.vendor.requests.length, 0)
  })
})

describe('an idempotency key', () => {
  let bed: CallBed
  before(async () => {
    bed = await openCallBed()
    bed.vendor.answerWith(() => ({ body: FOUND }))
  })
  const keyed = (key: string, body: unknown = QUERY, fingerprint = 'aa'.repeat(32)) =>
    bed.request('semantic', 'search', body, { idempotency: { key, fingerprint } })

  it('replays the answer byte for byte, without a vendor request or a charge', async () => {
    const first = await runCall(bed.calls, keyed('k1'))
    const asked = bed.vendor.requests.length
    const { balance } = await bed.balance()
    const second = await runCall(bed.calls, keyed('k1'))
    assert.equal(second.body, first.body)
    assert.deepEqual([second.replayed, second.charged], [true, 0n])
    assert.equal(bed.vendor.requests.length, asked)
    assert.equal((await bed.balance()).balance, balance)
  })

  it('with another body is rejected', async () => {
    await runCall(bed.calls, keyed('k2'))
    await refusal(
      runCall(bed.calls, keyed('k2', { query: 'other' }, 'bb'.repeat(32))),
      'idempotency_key_reused',
    )
  })

  it('replays an answer even if a new request would be rejected', async () => {
    const first = await runCall(bed.calls, keyed('k0'))
    const findAction = (): never => {
      throw new AppError('unknown_action')
    }
    const later = { ...bed.calls, catalog: { ...bed.calls.catalog, findAction } }
    const second = await runCall(later, keyed('k0'))
    assert.deepEqual([second.body, second.replayed, second.charged], [first.body, true, 0n])
    await refusal(
      runCall(later, keyed('k0', { query: 'other' }, 'bb'.repeat(32))),
      'unknown_action',
    )
    await refusal(runCall(later, keyed('never used')), 'unknown_action')
    await refusal(runCall(later, bed.request('semantic', 'search', QUERY)), 'unknown_action')
  })

  it('of a running call returns 409 and a retry time', async () => {
    let finish = (): void => undefined
    const started = new Promise<void>((begun) => {
      bed.vendor.answerWith(async () => {
        begun()
        await new Promise<void>((done) => (finish = done))
        return { body: FOUND }
      })
    })
    const first = runCall(bed.calls, keyed('k3'))
    await started
    const error = await refusal(runCall(bed.calls, keyed('k3')), 'idempotency_in_progress')
    assert.ok((error.retryAfterSeconds ?? 0) >= 1 && (error.retryAfterSeconds ?? 0) <= 10)
    finish()
    const answer = await first
    bed.vendor.answerWith(() => ({ body: FOUND }))
    assert.equal((await runCall(bed.calls, keyed('k3'))).body, answer.body)
  })

  it('is free again after a call that failed uncharged', async () => {
    bed.vendor.answerWith(() => ({ status: 503, body: {} }))
    await refusal(runCall(bed.calls, keyed('k4')), 'upstream_error')
    bed.vendor.answerWith(() => ({ body: FOUND }))
    assert.equal((await runCall(bed.calls, keyed('k4'))).replayed, false)
  })

  it('is separate for each account and for test and live keys', async () => {
    const { live } = await createAccount(
      { database: bed.database, now: bed.clock },
      { email: 'other@gate.example.com', tier: 'personal' },
    )
    const other = await findCaller(bed.database, hashSecret(live.key), bed.clock())
    assert.ok(other)
    for (const caller of [bed.testCaller, other.caller, bed.caller]) {
      const answer = await runCall(bed.calls, { ...keyed('k5'), caller })
      assert.deepEqual([answer.replayed, answer.charged], [false, CENT])
    }
  })

  it('sent a hundred times concurrently is charged once', async () => {
    const before = (await bed.balance()).balance
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => runCall(bed.calls, keyed('k6'))),
    )
    const bodies = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.body] : [],
    )
    assert.equal(new Set(bodies).size, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        assert.equal((outcome.reason as AppError).code, 'idempotency_in_progress')
    assert.deepEqual(await bed.balance(), { balance: before - CENT, held: 0n })
    assert.equal((await verifyLedger(bed.database)).ok, true)
  })
})

describe('a test key', () => {
  it('reaches the simulators, spends play money and marks the answer', async () => {
    const bed = await openCallBed()
    bed.vendor.answerWith(() => ({ body: FOUND }))
    const answer = await runCall(
      bed.calls,
      bed.request('semantic', 'search', QUERY, { caller: bed.testCaller }),
    )
    assert.equal((JSON.parse(answer.body) as { test: boolean }).test, true)
    assert.equal(bed.vendor.requests.at(-1)?.path, '/semantic/search')
    assert.equal(bed.vendor.requests.at(-1)?.headers['x-api-key'], 'simulated')
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
  })
})

describe('a multi-source action', () => {
  it('sends a separate vendor key for every step', async () => {
    const twoSteps: LocalHandler = async (_input, { invoke }) => {
      await Promise.all([
        invoke('semantic', 'search', { query: 'one' }),
        invoke('semantic', 'search', { query: 'two' }),
      ])
      return { kind: 'done', data: {}, units: 1 }
    }
    const bed = await openCallBed({ local: new Map([['core.onescrape', twoSteps]]) })
    bed.vendor.answerWith(() => ({ body: FOUND }))
    await runCall(bed.calls, bed.request('core', 'onescrape', { urls: ['https://a.example/'] }))
    const keys = bed.vendor.requests.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 2)
    assert.equal(new Set(keys).size, 2)
  })

  it('that fails shows its steps, all uncharged', async () => {
    const inVain: LocalHandler = async (_input, { invoke }) => {
      await invoke('semantic', 'search', { query: 'one' })
      return failed('all_blocked', 'Nothing was read.')
    }
    const bed = await openCallBed({ local: new Map([['core.onescrape', inVain]]) })
    bed.vendor.answerWith(() => ({ body: FOUND }))
    await assert.rejects(
      runCall(bed.calls, bed.request('core', 'onescrape', { urls: ['https://a.example/'] })),
      (error) => error instanceof AppError && error.code === 'all_blocked',
    )
    const [{ status, hops } = assert.fail('no transaction')] = await bed.transactions()
    assert.deepEqual(
      [
        status,
        (hops as Hop[]).map(({ provider, ok, charged_cents: cents, charged_micros: micros }) => [
          provider,
          ok,
          cents,
          micros,
        ]),
      ],
      ['released', [['semantic', true, 0, 0]]],
    )
  })

  it('releases its hold if its answer cannot be written', async () => {
    const unwritable: LocalHandler = async () => ({ kind: 'done', data: { count: 1n }, units: 1 })
    const bed = await openCallBed({ local: new Map([['core.onescrape', unwritable]]) })
    await assert.rejects(
      runCall(bed.calls, bed.request('core', 'onescrape', { urls: ['https://a.example/'] })),
      TypeError,
    )
    assert.deepEqual(await bed.balance(), { balance: 2_000_000n, held: 0n })
    assert.deepEqual(
      (await bed.transactions()).map(({ status, error_code }) => [status, error_code]),
      [['released', 'internal']],
    )
  })
})
