import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBank } from '../../test/harness/beds/ledger.ts'
import { fc } from '../../test/harness/property.ts'
import type { Transaction } from '../db/database.ts'
import { AppError, BrokenInvariant } from '../errors/app-error.ts'
import type { Claim, HoldRequest } from '../ledger/hold.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId, type Id } from '../lib/ids.ts'
import { CallTally } from '../lib/metrics/call-tally.ts'
import { withHold, type ChargeDeps, type HeldCall, type Order } from './charge.ts'
import type { StoredAnswer } from './idempotency/answers.ts'

const bank = await openBank()
const { clock, database, ledger } = bank
const HELD = 100n
const LEASE = 'abcdef'

type Result = { readonly body: string; readonly isReplay: boolean }
const answer: StoredAnswer = { status: 200, body: '{"ok":true}' }
const done: Result = { body: answer.body, isReplay: false }

function orderOn(walletId: number, facts: Partial<HoldRequest> = {}): Order<Result> {
  return {
    hold: bank.request(walletId, HELD, { id: newId(clock(), LEASE), ...facts }),
    mode: 'live',
    startedMs: clock(),
    replay: ({ body }) => ({ body, isReplay: true }),
  }
}

function claimOn(accountId: Id, key: string): Claim {
  return {
    accountId,
    route: 'run/search/web',
    idempotencyKey: key,
    fingerprint: 'aa',
    expiresMs: clock() + DAY_MS,
  }
}

async function keyedWallet(): Promise<{ readonly wallet: number; readonly claim: Claim }> {
  return { wallet: await bank.openWallet(1_000n), claim: claimOn(await bank.openAccount(), 'key') }
}

async function settle(held: HeldCall, charge = 30n): Promise<Result> {
  await held.settle(charge, answer)
  return done
}

const fail = (): never => {
  throw new AppError('upstream_error')
}

async function errorCodeOf(walletId: number): Promise<string | null | undefined> {
  const { rows } = await database.query<{ error_code: string | null }>(
    "select error_code from transactions where wallet_id = $1 and kind = 'call'",
    [walletId],
  )
  return rows[0]?.error_code
}

describe('a call with a hold', () => {
  const tally = new CallTally()
  const deps: ChargeDeps = { ledger, database, now: clock, tally }
  const counted = (): bigint =>
    [...tally.services()].find(({ service }) => service === 'search')?.tally.charged ?? 0n

  it('is charged once, counted, and replayed without any work', async () => {
    const { wallet, claim } = await keyedWallet()
    const before = counted()
    assert.deepEqual(await withHold(deps, orderOn(wallet, { claim }), settle), done)
    const repeated = await withHold(deps, orderOn(wallet, { claim }), fail)
    assert.deepEqual(repeated, { body: answer.body, isReplay: true })
    assert.deepEqual(await bank.wallet(wallet), { balance: 970n, held: 0n })
    assert.equal(counted() - before, 30n)
  })

  it('runs no work when its hold is rejected', async () => {
    const wallet = await bank.openWallet(HELD - 1n)
    await assert.rejects(withHold(deps, orderOn(wallet), fail), { code: 'credits_required' })
    const onRejected = (error: unknown): Result => ({ body: String(error), isReplay: false })
    const { body } = await withHold(deps, { ...orderOn(wallet), onRejected }, fail)
    assert.match(body, /of the balance can be spent/)
    assert.deepEqual(await bank.wallet(wallet), { balance: HELD - 1n, held: 0n })
  })

  it('is released when its work fails, and its key is free again', async () => {
    const { wallet, claim } = await keyedWallet()
    await assert.rejects(withHold(deps, orderOn(wallet, { claim }), fail), {
      code: 'upstream_error',
    })
    assert.equal(await errorCodeOf(wallet), 'upstream_error')
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
    assert.deepEqual(await withHold(deps, orderOn(wallet, { claim }), settle), done)
  })

  it('leaves the failure that its order stores under the key', async () => {
    const { wallet, claim } = await keyedWallet()
    const storeFailure = (): StoredAnswer => answer
    const order = { ...orderOn(wallet, { claim }), storeFailure }
    await assert.rejects(withHold(deps, order, fail), { code: 'upstream_error' })
    assert.ok((await withHold(deps, orderOn(wallet, { claim }), fail)).isReplay)
  })

  it('is released as internal when its work throws a bug', async () => {
    const wallet = await bank.openWallet(1_000n)
    await assert.rejects(
      withHold(deps, orderOn(wallet), () => Promise.reject(new TypeError('bug'))),
      TypeError,
    )
    assert.equal(await errorCodeOf(wallet), 'internal')
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })

  it('is released when its work forgets to resolve it', async () => {
    const wallet = await bank.openWallet(1_000n)
    await assert.rejects(
      withHold(deps, orderOn(wallet), () => Promise.resolve(done)),
      BrokenInvariant,
    )
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })

  it('is released when its charge is above its hold or below zero', async () => {
    const wallet = await bank.openWallet(1_000n)
    for (const charge of [HELD + 1n, -1n])
      await assert.rejects(
        withHold(deps, orderOn(wallet), (held) => settle(held, charge)),
        BrokenInvariant,
      )
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })

  it('keeps its first charge when its work settles twice or fails afterwards', async () => {
    const wallet = await bank.openWallet(1_000n)
    const twice = async (held: HeldCall): Promise<Result> => settle(held).then(() => settle(held))
    await assert.rejects(withHold(deps, orderOn(wallet), twice), BrokenInvariant)
    await assert.rejects(
      withHold(deps, orderOn(wallet), (held) => settle(held).then(fail)),
      { code: 'upstream_error' },
    )
    assert.deepEqual(await bank.wallet(wallet), { balance: 940n, held: 0n })
  })

  it('is not charged when another process released its hold meanwhile', async () => {
    const { wallet, claim } = await keyedWallet()
    await assert.rejects(
      withHold(deps, orderOn(wallet, { claim }), async (held) => {
        assert.equal(await ledger.releaseOf(LEASE), 1)
        return settle(held)
      }),
      { code: 'upstream_timeout' },
    )
    assert.equal(await errorCodeOf(wallet), 'hold_expired')
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })

  it('is not released after a settlement whose outcome is unknown', async () => {
    const wallet = await bank.openWallet(1_000n)
    const resolutions: (string | null)[] = []
    const away: ChargeDeps['ledger'] = {
      ...ledger,
      async resolve(resolution) {
        resolutions.push(resolution.errorCode)
        await ledger.resolve(resolution)
        throw new AppError('overloaded')
      },
    }
    await assert.rejects(withHold({ ...deps, ledger: away }, orderOn(wallet), settle), {
      code: 'overloaded',
    })
    assert.deepEqual(resolutions, [null])
    assert.deepEqual(await bank.wallet(wallet), { balance: 970n, held: 0n })
  })

  it('charges a cost above its hold after it enlarged the hold', async () => {
    const wallet = await bank.openWallet(1_000n)
    await withHold(deps, orderOn(wallet), async (held) => settle(held, await held.enlarge(50n)))
    assert.deepEqual(await bank.wallet(wallet), { balance: 850n, held: 0n })
  })
})

describe('a call that settles in a larger transaction', () => {
  const deps: ChargeDeps = { ledger, database, now: clock }
  const settleIn = (held: HeldCall, after: (tx: Transaction) => Promise<void>): Promise<Result> =>
    database.transaction(async (tx) => {
      await held.settleWithin(tx, 30n, answer)
      await after(tx)
      return done
    })

  it('is charged with that commit', async () => {
    const { wallet, claim } = await keyedWallet()
    const order = orderOn(wallet, { claim })
    assert.deepEqual(await withHold(deps, order, (held) => settleIn(held, async () => {})), done)
    assert.ok((await withHold(deps, orderOn(wallet, { claim }), fail)).isReplay)
    assert.deepEqual(await bank.wallet(wallet), { balance: 970n, held: 0n })
  })

  it('is released when that transaction rolls back', async () => {
    const wallet = await bank.openWallet(1_000n)
    await assert.rejects(
      withHold(deps, orderOn(wallet), (held) => settleIn(held, fail)),
      { code: 'upstream_error' },
    )
    assert.equal(await errorCodeOf(wallet), 'upstream_error')
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })

  it('reports its charge when the commit succeeded and its response was lost', async () => {
    const wallet = await bank.openWallet(1_000n)
    const charges: bigint[] = []
    const order: Order<Result> = {
      ...orderOn(wallet),
      onChargedFailure: async (_error, charged) => (charges.push(charged), done),
    }
    const lose = (held: HeldCall): Promise<Result> =>
      settleIn(held, async () => {}).then(() => Promise.reject(new AppError('overloaded')))
    assert.deepEqual(await withHold(deps, order, lose), done)
    assert.deepEqual(charges, [30n])
    assert.deepEqual(await bank.wallet(wallet), { balance: 970n, held: 0n })
  })

  it('rolls back when its hold has ended', async () => {
    const wallet = await bank.openWallet(1_000n)
    await assert.rejects(
      withHold(deps, orderOn(wallet), async (held) => {
        await ledger.releaseOf(LEASE)
        return settleIn(held, async () => {})
      }),
      { code: 'upstream_timeout' },
    )
    assert.deepEqual(await bank.wallet(wallet), { balance: 1_000n, held: 0n })
  })
})

describe('concurrent calls', () => {
  const EXITS = ['settle', 'fail', 'bug', 'forget', 'dead', 'commit', 'rollback', 'lost'] as const
  type Exit = (typeof EXITS)[number]
  const anyCall = fc.record({
    exit: fc.constantFrom(...EXITS),
    charge: fc.bigInt(0n, HELD),
    key: fc.option(fc.integer({ min: 0, max: 2 })),
    process: fc.integer({ min: 0, max: 1 }),
  })

  async function workOf(exit: Exit, charge: bigint, held: HeldCall): Promise<Result> {
    const commit = (after = async (): Promise<void> => {}): Promise<Result> =>
      database.transaction(async (tx) => {
        await held.settleWithin(tx, charge, answer)
        await after()
        return done
      })
    switch (exit) {
      case 'settle':
        return settle(held, charge)
      case 'fail':
        return fail()
      case 'bug':
        throw new TypeError('bug')
      case 'forget':
        return done
      case 'dead':
        await ledger.releaseOf(held.hold.id.slice(-6))
        return settle(held, charge)
      case 'commit':
        return commit()
      case 'rollback':
        return commit(fail)
      case 'lost':
        return commit().then(fail)
    }
  }

  it('resolve every hold once and charge each key at most once, for random exits', async () => {
    const ledgers = [ledger, bank.anotherLedger()]
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 12 }), async (calls) => {
        const wallet = await bank.openWallet(500n)
        const accountId = await bank.openAccount()
        const charges: { key: number | null; charge: bigint }[] = []
        await Promise.allSettled(
          calls.map(({ exit, charge, key, process }, place) => {
            const claim = key === null ? null : claimOn(accountId, `${key}`)
            // A dead process releases the holds of its own lease only.
            const id = newId(clock(), `${process}${place.toString(16).padStart(5, 'c')}`)
            const note = (): Result => (charges.push({ key, charge }), done)
            const order = {
              ...orderOn(wallet, { id, claim }),
              onChargedFailure: async () => note(),
            }
            const deps = { ledger: ledgers[process] ?? ledger, database, now: clock }
            return withHold(deps, order, async (held) => {
              const result = await workOf(exit, charge, held)
              if (exit !== 'forget') note()
              return result
            })
          }),
        )
        const total = charges.reduce((sum, { charge }) => sum + charge, 0n)
        assert.deepEqual(await bank.wallet(wallet), { balance: 500n - total, held: 0n })
        const keys = charges.flatMap(({ key }) => (key === null ? [] : [key]))
        assert.equal(new Set(keys).size, keys.length, 'a key was charged twice')
        await bank.assertSound()
      }),
      { numRuns: 30 },
    )
  })
})
