import { fc } from '../harness/property.ts'
import type { Period } from '../../src/ledger/windows.ts'
import { HOUR_MS } from '../../src/lib/clock.ts'

export const WALLETS = 3
/** Each budget belongs to one wallet, as keys do. The ledger's order of locks relies on it. */
const BUDGETS_PER_WALLET = 2
export const BUDGETS = WALLETS * BUDGETS_PER_WALLET
const KEYS = 3

/** `pick` chooses among the calls there are at that moment, so that a shorter list of operations stays meaningful. */
export type Operation =
  | {
      readonly do: 'grant'
      readonly wallet: number
      readonly amount: bigint
      readonly livesMs: number | null
    }
  | { readonly do: 'topup' | 'adjust'; readonly wallet: number; readonly amount: bigint }
  | {
      readonly do: 'hold'
      readonly wallet: number
      readonly budget: number | null
      readonly amount: bigint
      readonly livesMs: number
      readonly key: number | null
    }
  | { readonly do: 'settle'; readonly pick: number; readonly percent: number }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'sweep' }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'state'; readonly budget: number; readonly state: 'open' | 'paused' | 'closed' }
  | { readonly do: 'ceiling'; readonly budget: number; readonly ceiling: bigint | null }
  | { readonly do: 'period'; readonly budget: number; readonly period: Period }

const wallet = fc.nat(WALLETS - 1)
const budget = fc.nat(BUDGETS - 1)
const amount = fc.bigInt(1n, 40n)
const pick = fc.nat(1000)
const period = fc.constantFrom<Period>('day', 'week', 'month')
// From one millisecond to a few weeks, so that every kind of window rolls.
const duration = fc.oneof(
  fc.integer({ min: 1, max: 10 }),
  fc.integer({ min: 1, max: 48 }).map((hours) => hours * HOUR_MS),
  fc.integer({ min: 1, max: 30 }).map((days) => days * 24 * HOUR_MS),
)

const grant = fc.record({
  do: fc.constant('grant' as const),
  wallet,
  amount,
  livesMs: fc.option(duration, { nil: null }),
})
const credit = fc.record({
  do: fc.constantFrom('topup' as const, 'adjust' as const),
  wallet,
  amount,
})
const hold = fc
  .record({
    do: fc.constant('hold' as const),
    wallet,
    budget: fc.option(fc.nat(BUDGETS_PER_WALLET - 1), { nil: null }),
    amount,
    livesMs: duration,
    key: fc.option(fc.nat(KEYS - 1), { nil: null }),
  })
  .map((one) => ({
    ...one,
    budget: one.budget === null ? null : one.wallet * BUDGETS_PER_WALLET + one.budget,
  }))
const settle = fc.record({
  do: fc.constant('settle' as const),
  pick,
  percent: fc.integer({ min: 0, max: 100 }),
})
const release = fc.record({ do: fc.constant('release' as const), pick })
const sweep = fc.constant({ do: 'sweep' as const })
const advance = fc.record({ do: fc.constant('advance' as const), ms: duration })
const budgetChange = fc.oneof(
  fc.record({
    do: fc.constant('state' as const),
    budget,
    state: fc.constantFrom('open' as const, 'open' as const, 'paused' as const, 'closed' as const),
  }),
  fc.record({
    do: fc.constant('ceiling' as const),
    budget,
    ceiling: fc.option(fc.bigInt(0n, 150n), { nil: null }),
  }),
  fc.record({ do: fc.constant('period' as const), budget, period }),
)

export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: grant },
  { weight: 3, arbitrary: credit },
  { weight: 12, arbitrary: hold },
  { weight: 8, arbitrary: settle },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: sweep },
  { weight: 3, arbitrary: advance },
  { weight: 2, arbitrary: budgetChange },
)

/** Operations that can run concurrently and change no limit. */
export const anyCallOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1, arbitrary: grant },
  { weight: 1, arbitrary: credit },
  { weight: 12, arbitrary: hold },
  { weight: 8, arbitrary: settle },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: sweep },
)
