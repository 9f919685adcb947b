/** Wallets, budgets and holds for tests of money. Time stands still until a test moves it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/db/database.ts'
import type { DatabaseAddress } from '../../src/db/embedded-postgres.ts'
import { postCredit, type CreditRequest } from '../../src/ledger/credit.ts'
import type { Hold, HoldRequest } from '../../src/ledger/hold.ts'
import { createLedger, type Ledger, type LedgerSettings, type Settlement } from '../../src/ledger/ledger.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import type { Period } from '../../src/ledger/windows.ts'
import { manualClock, type ManualClock } from '../../src/lib/clock.ts'
import { newId, type Id } from '../../src/lib/ids.ts'
import type { Micros } from '../../src/lib/money.ts'
import { cleanUp } from './clean-up.ts'
import { cloneDatabase } from './postgres.ts'

/** A Wednesday, in the middle of a month. */
export const START_MS = Date.UTC(2026, 0, 14, 12)
export const DAY_MS = 86_400_000
export const CALL_MS = 120_000

export type BudgetFacts = { readonly ceiling?: Micros | null; readonly period?: Period; readonly state?: 'open' | 'paused' | 'closed' }

export type Bank = {
  readonly database: Database
  readonly target: DatabaseAddress
  readonly clock: ManualClock
  readonly ledger: Ledger
  /** A second gateway process's ledger, as far as the database can tell. */
  anotherLedger(overrides?: Partial<LedgerSettings>): Ledger
  openWallet(credit?: Micros): Promise<number>
  openAccount(): Promise<Id>
  openBudget(facts?: BudgetFacts): Promise<Id>
  post(walletId: number, kind: CreditRequest['kind'], amount: Micros, expiresAtMs?: number): Promise<Micros | null>
  request(walletId: number, amount: Micros, facts?: Partial<HoldRequest>): HoldRequest
  /** Takes room or fails the test. */
  hold(walletId: number, amount: Micros, facts?: Partial<HoldRequest>): Promise<Hold>
  settle(hold: Hold, charge: Micros): Promise<Settlement>
  release(hold: Hold): Promise<Settlement>
  wallet(walletId: number): Promise<{ readonly balance: Micros; readonly held: Micros }>
  windows(budgetId: Id): Promise<Record<`${Period}_${'spent' | 'held'}`, Micros>>
  /** Fails the test when any invariant of the ledger is broken. */
  assertSound(): Promise<void>
}

/** A bank with a database of its own. To be called at the top level of a test file. */
export async function openBank(): Promise<Bank> {
  const { database, target } = await cloneDatabase()
  return bankOn(database, target, manualClock(START_MS))
}

export function bankOn(database: Database, target: DatabaseAddress, clock: ManualClock): Bank {
  const anotherLedger = (overrides: Partial<LedgerSettings> = {}): Ledger => {
    const ledger = createLedger({ database, now: clock, topupUrl: 'https://pay.example/topup', pause: async () => {}, ...overrides })
    cleanUp(() => ledger.close())
    return ledger
  }
  const ledger = anotherLedger()
  const request: Bank['request'] = (walletId, amount, facts = {}) => ({
    id: newId(clock()), walletId, budgetId: null, amount, deadlineMs: clock() + CALL_MS, kind: 'call', service: 'search', action: 'web', externalId: null, claim: null, ...facts,
  })
  return {
    database, target, clock, ledger, anotherLedger, request,
    ...accountsOf(database, clock),
    async hold(walletId, amount, facts) {
      const hold = await ledger.hold(request(walletId, amount, facts))
      assert.ok(hold.opened)
      return hold
    },
    settle: (hold, charge) => ledger.resolve({ hold, charge, latencyMs: 5, errorCode: null, hops: null }),
    release: (hold) => ledger.resolve({ hold, charge: 0n, latencyMs: 5, errorCode: 'upstream_error', hops: null }),
    async wallet(walletId) {
      const { rows } = await database.query<{ balance: Micros; held: Micros }>('select balance_micros as balance, held_micros as held from wallets where id = $1', [walletId])
      assert.ok(rows[0])
      return { ...rows[0] }
    },
    async windows(budgetId) {
      const { rows } = await database.query<Record<`${Period}_${'spent' | 'held'}`, Micros>>('select day_spent, day_held, week_spent, week_held, month_spent, month_held from budgets where id = $1', [budgetId])
      assert.ok(rows[0])
      return { ...rows[0] }
    },
    async assertSound() {
      assert.deepEqual((await verifyLedger(database)).findings, [])
    },
  }
}

/** Makers of wallets, budgets and credit in a database. */
export function accountsOf(database: Database, clock: ManualClock): Pick<Bank, 'openWallet' | 'openAccount' | 'openBudget' | 'post'> {
  const post: Bank['post'] = (walletId, kind, amount, expiresAtMs) =>
    postCredit(database, { id: newId(clock()), walletId, kind, amount, nowMs: clock(), ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs) }) })
  const openAccount: Bank['openAccount'] = async () => {
    const id = newId(clock())
    await database.query("insert into accounts (id, email, tier, created_at) values ($1, $2, 'personal', $3)", [id, `${randomUUID()}@example.com`, new Date(clock())])
    return id
  }
  return {
    post,
    openAccount,
    async openWallet(credit = 0n) {
      const { rows } = await database.query<{ id: bigint }>("insert into wallets (account_id, mode) values ($1, 'live') returning id", [await openAccount()])
      const walletId = Number(rows[0]?.id)
      if (credit > 0n) await post(walletId, 'topup', credit)
      return walletId
    },
    async openBudget({ ceiling = null, period = 'day', state = 'open' } = {}) {
      const id = newId(clock())
      await database.query('insert into budgets (id, ceiling_micros, period, state) values ($1, $2, $3, $4)', [id, ceiling, period, state])
      return id
    },
  }
}
