import { randomUUID } from 'node:crypto'
import type { Database } from '../../../src/db/database.ts'
import { postCredit, type CreditRequest } from '../../../src/ledger/credit.ts'
import type { Period } from '../../../src/ledger/windows.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { newId, type Id } from '../../../src/lib/ids.ts'
import type { Micros } from '../../../src/lib/money.ts'

/** A Wednesday, in the middle of a month. */
export const START_MS = Date.UTC(2026, 0, 14, 12)

export type BudgetFacts = {
  readonly ceiling?: Micros | null
  readonly period?: Period
  readonly state?: 'open' | 'paused' | 'closed'
  /** The budgets above, the topmost first. */
  readonly ancestors?: readonly Id[]
}

export type Accounts = {
  openWallet(credit?: Micros): Promise<number>
  openAccount(): Promise<Id>
  openBudget(facts?: BudgetFacts): Promise<Id>
  post(
    walletId: number,
    kind: CreditRequest['kind'],
    amount: Micros,
    expiresAtMs?: number,
  ): Promise<Micros | null>
}

/** Makers of wallets, budgets and credit in a database. */
export function accountsOf(database: Database, clock: Clock): Accounts {
  const post: Accounts['post'] = (walletId, kind, amount, expiresAtMs) =>
    postCredit(database, {
      id: newId(clock()),
      walletId,
      kind,
      amount,
      nowMs: clock(),
      ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs) }),
    })
  const openAccount: Accounts['openAccount'] = async () => {
    const id = newId(clock())
    await database.query(
      "insert into accounts (id, email, tier, created_at) values ($1, $2, 'personal', $3)",
      [id, `${randomUUID()}@example.com`, new Date(clock())],
    )
    return id
  }
  return {
    post,
    openAccount,
    async openWallet(credit = 0n) {
      const { rows } = await database.query<{ id: bigint }>(
        "insert into wallets (account_id, mode) values ($1, 'live') returning id",
        [await openAccount()],
      )
      const walletId = Number(rows[0]?.id)
      if (credit > 0n) await post(walletId, 'topup', credit)
      return walletId
    },
    async openBudget({ ceiling = null, period = 'day', state = 'open', ancestors = [] } = {}) {
      const id = newId(clock())
      await database.query(
        'insert into budgets (id, ceiling_micros, period, state, ancestors, parent_id) values ($1, $2, $3, $4, $5, $6)',
        [id, ceiling, period, state, ancestors, ancestors.at(-1) ?? null],
      )
      return id
    },
  }
}
