/** Wallets, budgets and holds for tests of money. The test moves the clock. */
import assert from 'node:assert/strict'
import type { Database } from '../../../src/db/database.ts'
import type { DatabaseAddress } from '../../../src/db/embedded-postgres.ts'
import type { Hold, HoldRequest } from '../../../src/ledger/hold.ts'
import {
  createLedger,
  type Ledger,
  type LedgerDeps,
  type Settlement,
} from '../../../src/ledger/ledger.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import type { ResettingPeriod } from '../../../src/ledger/windows.ts'
import { newId, type Id } from '../../../src/lib/ids.ts'
import type { Micros } from '../../../src/lib/money.ts'
import { accountsOf, START_MS, type Accounts } from './accounts.ts'
import { cleanUp } from '../clean-up.ts'
import { manualClock, type ManualClock } from '../manual-clock.ts'
import { cloneDatabase } from '../postgres.ts'

export { START_MS } from './accounts.ts'
export { DAY_MS } from '../../../src/lib/clock.ts'
export const CALL_MS = 120_000

export type Bank = Accounts & {
  readonly database: Database
  readonly target: DatabaseAddress
  readonly clock: ManualClock
  readonly ledger: Ledger
  /** The ledger of a second gateway process on the same database. */
  anotherLedger(overrides?: Partial<LedgerDeps>): Ledger
  request(walletId: number, amount: Micros, facts?: Partial<HoldRequest>): HoldRequest
  /** Opens a hold. Fails the test when the ledger rejects it. */
  hold(walletId: number, amount: Micros, facts?: Partial<HoldRequest>): Promise<Hold>
  settle(hold: Hold, charge: Micros): Promise<Settlement>
  release(hold: Hold): Promise<Settlement>
  wallet(walletId: number): Promise<{ readonly balance: Micros; readonly held: Micros }>
  windows(budgetId: Id): Promise<Record<`${ResettingPeriod}_${'spent' | 'held'}`, Micros>>
  lifetime(budgetId: Id): Promise<{ readonly spent: Micros; readonly held: Micros }>
  /** Fails the test when an invariant of the ledger is broken. */
  assertSound(): Promise<void>
}

/** A bank with its own database. Call it at the top level of a test file. */
export async function openBank(): Promise<Bank> {
  const { database, target } = await cloneDatabase()
  return bankOn(database, target, manualClock(START_MS))
}

function bankOn(database: Database, target: DatabaseAddress, clock: ManualClock): Bank {
  const anotherLedger = (overrides: Partial<LedgerDeps> = {}): Ledger => {
    const ledger = createLedger({
      database,
      now: clock,
      topupUrl: 'https://pay.example/topup',
      pause: async () => {},
      ...overrides,
    })
    cleanUp(() => ledger.close())
    return ledger
  }
  const ledger = anotherLedger()
  const request: Bank['request'] = (walletId, amount, facts = {}) => ({
    id: newId(clock()),
    walletId,
    budgetId: null,
    amount,
    deadlineMs: clock() + CALL_MS,
    kind: 'call',
    service: 'search',
    action: 'web',
    externalId: null,
    claim: null,
    ...facts,
  })
  return {
    database,
    target,
    clock,
    ledger,
    anotherLedger,
    request,
    ...accountsOf(database, clock),
    async hold(walletId, amount, facts) {
      const hold = await ledger.hold(request(walletId, amount, facts))
      assert.ok(hold.opened)
      return hold
    },
    settle: (hold, charge) =>
      ledger.resolve({ hold, charge, latencyMs: 5, errorCode: null, hops: null }),
    release: (hold) =>
      ledger.resolve({ hold, charge: 0n, latencyMs: 5, errorCode: 'upstream_error', hops: null }),
    async wallet(walletId) {
      const { rows } = await database.query<{ balance: Micros; held: Micros }>(
        'select balance_micros as balance, held_micros as held from wallets where id = $1',
        [walletId],
      )
      assert.ok(rows[0])
      return { ...rows[0] }
    },
    async windows(budgetId) {
      const { rows } = await database.query<
        Record<`${ResettingPeriod}_${'spent' | 'held'}`, Micros>
      >(
        'select day_spent, day_held, week_spent, week_held, month_spent, month_held from budgets where id = $1',
        [budgetId],
      )
      assert.ok(rows[0])
      return { ...rows[0] }
    },
    async lifetime(budgetId) {
      const { rows } = await database.query<{ spent: Micros; held: Micros }>(
        'select total_spent as spent, total_held as held from budgets where id = $1',
        [budgetId],
      )
      assert.ok(rows[0])
      return { ...rows[0] }
    },
    async assertSound() {
      assert.deepEqual((await verifyLedger(database)).findings, [])
    },
  }
}
