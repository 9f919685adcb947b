import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Micros } from '../lib/money.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Hold, HoldRequest, Resolution, WalletState } from './hold.ts'
import { refusalOf } from './refusal.ts'

export type Settlement = {
  /** What the wallet was charged. Zero when the hold had expired before: a late result is never charged. */
  readonly charged: Micros
  readonly expired: boolean
  readonly wallet: WalletState | null
}

/** `hold` answers this when the idempotency key is taken; what was stored under it is the caller's to look up. */
export type Repeated = { readonly opened: false }

export type Ledger = {
  /** Takes room for a call in its wallet and budget, durably. Throws AppError when there is none. */
  hold(request: HoldRequest): Promise<Hold | Repeated>
  /** Resolves a hold once: charges at most what was held, gives the rest back, writes the transaction, all in one commit. */
  resolve(resolution: Resolution & { readonly hold: Hold }): Promise<Settlement>
  /** Gives back what a dead process left: every hold whose deadline has passed. Returns how many. */
  sweep(): Promise<number>
  close(): Promise<void>
}

export type LedgerSettings = {
  readonly database: Database
  readonly now: Clock
  /** Shown where a caller is told that credit is short. */
  readonly topupUrl: string
  /** Waits between attempts to reach a lost database. Tests pass one that does not. */
  readonly pause: (ms: number) => Promise<void>
}

// A settle must not be lost to a short outage: the hold's deadline is a minute or more away.
const RESOLVE_ATTEMPTS = 6
const FIRST_PAUSE_MS = 100
const SWEEP_BATCH = 500

export function createLedger(settings: LedgerSettings): Ledger {
  const { database, now } = settings
  const commits = createGroupCommit((): pg.Client => database.connect('ledger'), now)

  async function hold(request: HoldRequest): Promise<Hold | Repeated> {
    invariant(request.amount > 0n, 'a hold is for more than nothing')
    const { verdict } = await commits.open(request).catch((error: unknown) => {
      throw error instanceof AppError ? error : new AppError('overloaded', 'The ledger cannot be reached at the moment.', { retryAfterSeconds: 1, cause: error })
    })
    if (verdict === 'opened') return { ...request, opened: true }
    if (verdict === 'repeated') return { opened: false }
    throw await refusalOf(verdict, request, settings)
  }

  async function resolve(resolution: Resolution & { hold: Hold }): Promise<Settlement> {
    const { charge, hold: held } = resolution
    invariant(charge >= 0n && charge <= held.amount, `a charge of ${charge} µ$ is within the ${held.amount} µ$ held`)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { verdict, wallet } = await commits.resolve(resolution)
        if (verdict === 'resolved') return { charged: charge, expired: false, wallet }
        return await postedBefore(database, held, wallet)
      } catch (error) {
        if (attempt === RESOLVE_ATTEMPTS) throw error
        await settings.pause(FIRST_PAUSE_MS * 2 ** (attempt - 1))
      }
    }
  }

  async function sweep(): Promise<number> {
    const { rows } = await database.query<{ id: string; wallet_id: bigint; budget_id: string | null }>(
      'select id, wallet_id, budget_id from holds where deadline_ms < $1 order by deadline_ms limit $2',
      [now(), SWEEP_BATCH],
    )
    const outcomes = await Promise.all(
      rows.map(({ id, wallet_id, budget_id }) =>
        commits.resolve({ hold: { id, walletId: Number(wallet_id), budgetId: budget_id }, charge: 0n, latencyMs: 0, errorCode: 'hold_expired', hops: null, answer: null }),
      ),
    )
    return outcomes.filter(({ verdict }) => verdict === 'resolved').length
  }

  return { hold, resolve, sweep, close: () => commits.close() }
}

// The hold is gone: this same resolution was committed by an attempt whose answer got lost, or the sweep released it.
async function postedBefore(database: Database, held: Hold, wallet: WalletState): Promise<Settlement> {
  const { rows } = await database.query<{ amount_micros: bigint; error_code: string | null }>(
    'select amount_micros, error_code from transactions where wallet_id = $1 and id = $2',
    [held.walletId, held.id],
  )
  const posted = rows[0]
  invariant(posted !== undefined, 'a hold that is gone has a transaction')
  return { charged: -posted.amount_micros, expired: posted.error_code === 'hold_expired', wallet }
}
