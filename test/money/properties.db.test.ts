import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../harness/property.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { Hold, HoldRequest } from '../../src/ledger/hold.ts'
import type { Ledger, Settlement } from '../../src/ledger/ledger.ts'
import type { Id } from '../../src/lib/ids.ts'
import { DAY_MS, openBank, START_MS } from '../harness/beds/ledger.ts'
import { Model, type HoldOutcome } from './model.ts'
import { anyCallOperation, anyOperation, BUDGETS, WALLETS, type Operation } from './operations.ts'

const bank = await openBank()
const { clock, database } = bank
const CEILING = 60n
const KEY_LIVES_MS = 3 * DAY_MS

type World = {
  readonly wallets: number[]
  readonly budgets: Id[]
  /** The account of each wallet: keys of one account always belong to one wallet. */
  readonly accounts: Id[]
  readonly holds: Hold[]
}

async function newWorld(): Promise<World> {
  // Wallets of earlier runs stay untouched: this run does not sweep their open holds.
  clock.advance(400 * DAY_MS)
  await bank.ledger.sweep()
  const wallets = await Promise.all(Array.from({ length: WALLETS }, () => bank.openWallet()))
  const budgets = await Promise.all(
    Array.from({ length: BUDGETS }, () => bank.openBudget({ ceiling: CEILING, period: 'day' })),
  )
  const accounts = await Promise.all(Array.from({ length: WALLETS }, () => bank.openAccount()))
  return { wallets, budgets, accounts, holds: [] }
}

type HoldOperation = Extract<Operation, { do: 'hold' }>

function requestOf(
  world: World,
  { wallet, budget, amount, livesMs, key }: HoldOperation,
): HoldRequest {
  const claim =
    key === null
      ? null
      : {
          accountId: world.accounts[wallet] as Id,
          route: 'run/search/web',
          idempotencyKey: `key ${key}`,
          fingerprint: '00',
          expiresMs: clock() + KEY_LIVES_MS,
        }
  return bank.request(world.wallets[wallet] as number, amount, {
    budgetId: budget === null ? null : (world.budgets[budget] as Id),
    deadlineMs: clock() + livesMs,
    claim,
  })
}

async function tryHold(ledger: Ledger, world: World, request: HoldRequest): Promise<HoldOutcome> {
  try {
    const hold = await ledger.hold(request)
    if (!hold.opened) return 'repeated'
    world.holds.push(hold)
    return 'opened'
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error.code as HoldOutcome
  }
}

function settle(ledger: Ledger, hold: Hold, charge: bigint | null): Promise<Settlement> {
  return ledger.resolve({
    hold,
    charge: charge ?? 0n,
    latencyMs: 1,
    errorCode: charge === null ? 'upstream_error' : null,
    hops: null,
    answer: charge === null ? null : { status: 200, body: '{}' },
  })
}

const creditOf = (
  walletId: number,
  operation: Extract<Operation, { do: 'grant' | 'topup' | 'adjust' }>,
): Promise<bigint | null> => {
  if (operation.do === 'topup') return bank.post(walletId, 'topup', operation.amount)
  if (operation.do === 'grant')
    return bank.post(
      walletId,
      'grant',
      operation.amount,
      operation.livesMs === null ? undefined : clock() + operation.livesMs,
    )
  return bank.post(walletId, 'adjustment', -operation.amount).catch((error: unknown) => {
    assert.ok(error instanceof AppError && error.code === 'credits_required', String(error))
    return null
  })
}

async function changeBudget(
  world: World,
  operation: Extract<Operation, { do: 'state' | 'ceiling' | 'period' }>,
): Promise<void> {
  const id = world.budgets[operation.budget] as Id
  if (operation.do === 'state')
    await database.query('update budgets set state = $2 where id = $1', [id, operation.state])
  if (operation.do === 'ceiling')
    await database.query('update budgets set ceiling_micros = $2 where id = $1', [
      id,
      operation.ceiling,
    ])
  if (operation.do === 'period')
    await database.query('update budgets set period = $2 where id = $1', [id, operation.period])
}

/** Runs the operation on the ledger and on the model. Returns both results. */
async function doBoth(
  world: World,
  model: Model,
  operation: Operation,
): Promise<[unknown, unknown]> {
  switch (operation.do) {
    case 'grant':
    case 'topup':
    case 'adjust': {
      const expiresAtMs =
        operation.do === 'grant' && operation.livesMs !== null ? clock() + operation.livesMs : null
      const amount = operation.do === 'adjust' ? -operation.amount : operation.amount
      return [
        await creditOf(world.wallets[operation.wallet] as number, operation),
        model.credit(operation.wallet, amount, clock(), operation.do === 'grant', expiresAtMs),
      ]
    }
    case 'hold': {
      const request = requestOf(world, operation)
      const key =
        request.claim === null
          ? null
          : {
              name: `${operation.wallet} ${request.claim.idempotencyKey}`,
              expiresMs: request.claim.expiresMs,
            }
      return [
        await tryHold(bank.ledger, world, request),
        model.hold(
          request.id,
          operation.wallet,
          operation.budget,
          request.amount,
          request.deadlineMs,
          key,
          clock(),
        ),
      ]
    }
    case 'settle':
    case 'release': {
      const hold = world.holds[operation.pick % Math.max(world.holds.length, 1)]
      if (hold === undefined) return [null, null]
      const charge =
        operation.do === 'release' ? null : (hold.amount * BigInt(operation.percent)) / 100n
      const { charged, expired, wallet } = await settle(bank.ledger, hold, charge)
      return [
        { charged, expired, wallet },
        {
          ...model.resolve(hold.id, charge, clock()),
          wallet: model.factsOf(world.wallets.indexOf(hold.walletId)),
        },
      ]
    }
    case 'sweep':
      return [await bank.ledger.sweep(), model.sweep(clock())]
    case 'advance':
      clock.advance(operation.ms)
      return [null, null]
    case 'state':
    case 'ceiling':
    case 'period': {
      await changeBudget(world, operation)
      const { do: field, budget, ...change } = operation
      Object.assign(model.budgets[budget] as object, change)
      return [field, field]
    }
  }
}

async function assertSame(world: World, model: Model): Promise<void> {
  for (const [index, walletId] of world.wallets.entries()) {
    assert.deepEqual(await bank.wallet(walletId), model.factsOf(index))
    await database.query('select ledger_count_lots($1)', [walletId])
    const { rows } = await database.query<{ left: bigint }>(
      'select remaining_micros as left from lots where wallet_id = $1 order by id',
      [walletId],
    )
    assert.deepEqual(
      rows.map(({ left }) => left),
      model.wallet(index).lots.map(({ left }) => left),
    )
  }
}

test('one at a time, the ledger decides every operation like the model and balances', async () => {
  clock.set(START_MS)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyOperation, { minLength: 20, maxLength: 60 }),
      async (operations) => {
        const world = await newWorld()
        const model = new Model()
        world.wallets.forEach(() => model.openWallet())
        world.budgets.forEach(() => model.openBudget(CEILING, 'day'))
        for (const [place, operation] of operations.entries()) {
          const [real, expected] = await doBoth(world, model, operation)
          assert.deepEqual(real, expected, `operation ${place}: ${operation.do}`)
        }
        await assertSame(world, model)
        await bank.assertSound()
      },
    ),
    { numRuns: 40 },
  )
})

test('concurrently on three ledgers, limits hold, answers match the books, which balance', async () => {
  const ledgers = [bank.ledger, bank.anotherLedger(), bank.anotherLedger()]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyCallOperation, { minLength: 5, maxLength: 40 }), {
        minLength: 2,
        maxLength: 5,
      }),
      async (batches) => {
        const world = await newWorld()
        for (const walletId of world.wallets) await bank.post(walletId, 'topup', 50n)
        const settlements: { readonly hold: Hold; readonly settlement: Settlement }[] = []
        for (const batch of batches) {
          const before = [...world.holds]
          await Promise.all(
            batch.map((operation, place) =>
              doConcurrently(ledgers[place % 3] as Ledger, world, before, settlements, operation),
            ),
          )
          clock.advance(DAY_MS / 3)
        }
        await assertAgreement(world, settlements)
        await bank.assertSound()
      },
    ),
    { numRuns: 25 },
  )
})

test('no two statements of the runs above deadlocked', async () => {
  const { rows } = await database.query<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0]?.deadlocks, 0n)
})

async function doConcurrently(
  ledger: Ledger,
  world: World,
  before: readonly Hold[],
  settlements: { hold: Hold; settlement: Settlement }[],
  operation: Operation,
): Promise<void> {
  if (operation.do === 'hold') await tryHold(ledger, world, requestOf(world, operation))
  if (operation.do === 'grant' || operation.do === 'topup' || operation.do === 'adjust')
    await creditOf(world.wallets[operation.wallet] as number, operation)
  if (operation.do === 'sweep') await ledger.sweep()
  if (operation.do !== 'settle' && operation.do !== 'release') return
  const hold = before[operation.pick % Math.max(before.length, 1)]
  if (hold === undefined) return
  settlements.push({
    hold,
    settlement: await settle(
      ledger,
      hold,
      operation.do === 'release' ? null : (hold.amount * BigInt(operation.percent)) / 100n,
    ),
  })
}

async function assertAgreement(
  world: World,
  settlements: readonly { hold: Hold; settlement: Settlement }[],
): Promise<void> {
  for (const budgetId of world.budgets) {
    const { day_spent, day_held } = await bank.windows(budgetId)
    assert.ok(
      day_spent + day_held <= CEILING,
      `${day_spent} spent and ${day_held} held of ${CEILING}`,
    )
  }
  const { rows } = await database.query<{ id: Id; charged: bigint; expired: boolean }>(
    "select id, -amount_micros as charged, coalesce(error_code = 'hold_expired', false) as expired from transactions where wallet_id = any($1)",
    [world.wallets],
  )
  const posted = new Map(rows.map((row) => [row.id, row]))
  for (const { hold, settlement } of settlements) {
    assert.deepEqual(
      { charged: settlement.charged, expired: settlement.expired },
      { charged: posted.get(hold.id)?.charged, expired: posted.get(hold.id)?.expired },
    )
  }
  const open = await database.query<{ id: Id }>('select id from holds where wallet_id = any($1)', [
    world.wallets,
  ])
  const known = new Set([...posted.keys(), ...open.rows.map(({ id }) => id)])
  assert.deepEqual(
    world.holds.filter(({ id }) => !known.has(id)),
    [],
  )
}
