import pg from 'pg'
import { isTableLocked } from '../db/fault.ts'
import { isRecent, type Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'

/**
 * Rejects new calls while no call can be settled. PostgreSQL can accept holds and no settlement:
 * with a full disk, or while the table of transactions is locked. The operator would pay the vendor
 * for calls that cannot be charged. When no settlement is pending, one call a second tests it
 * again.
 */
export type SettlementGate = {
  /** The error that refused the last settlement, or null if a call may begin. */
  refusal(): Error | null
  /** The call's settlement failed, and the ledger will repeat it. */
  failed(id: Id, error: unknown): void
  /** The ledger no longer repeats the call's settlement. */
  stopped(id: Id): void
  settled(id: Id): void
}

const TRY_EVERY_MS = 1_000
// SQLSTATE classes: insufficient resources, such as disk space, and system errors, such as failed
// writes.
const CANNOT_WRITE = /^5[38]/

export function createSettlementGate(now: Clock): SettlementGate {
  const pending = new Set<Id>()
  let lastRefusal: Error | null = null
  let triedMs = Number.NEGATIVE_INFINITY
  return {
    refusal() {
      if (lastRefusal === null) return null
      if (pending.size > 0 || isRecent(triedMs, TRY_EVERY_MS, now())) return lastRefusal
      triedMs = now()
      return null
    },
    failed(id, error) {
      if (!isRefusal(error)) return
      lastRefusal = error
      pending.add(id)
    },
    stopped: (id) => void pending.delete(id),
    settled(id) {
      lastRefusal = null
      pending.delete(id)
    },
  }
}

/**
 * A broken connection is no refusal: it takes no hold either, and the next one may work. A locked
 * row concerns one wallet.
 */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof pg.DatabaseError &&
    (CANNOT_WRITE.test(error.code ?? '') || isTableLocked(error))
  )
}
