import pg from 'pg'
import { isTableLocked } from '../db/fault.ts'
import { isRecent, type Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'

/**
 * Decides whether a call that begins now could be charged. PostgreSQL may still take holds when it takes no settlement: with
 * a full disk, into pages that it has, or while somebody locks the table of transactions. The operator would pay the vendor
 * for each of these calls, and their callers would wait. So while a settlement is refused, holds are rejected too. When no
 * settlement is pending any more, one call a second tests whether settlements work again.
 */
export type Settling = {
  /** Why no call may begin, or null where one may. */
  obstacle(): Error | null
  /** The call's settlement failed, and is going to be asked for again. */
  failed(id: Id, error: unknown): void
  givenUp(id: Id): void
  kept(id: Id): void
}

const TRY_EVERY_MS = 1_000
// Classes of SQLSTATE: resources that are used up, the disk above all, and what the machine refuses, such as writing a file.
const CANNOT_WRITE = /^5[38]/

export function createSettling(now: Clock): Settling {
  const asking = new Set<Id>()
  let refusal: Error | null = null
  let triedMs = Number.NEGATIVE_INFINITY
  return {
    obstacle() {
      if (refusal === null) return null
      if (asking.size > 0 || isRecent(triedMs, TRY_EVERY_MS, now())) return refusal
      triedMs = now()
      return null
    },
    failed(id, error) {
      if (!isRefusal(error)) return
      refusal = error
      asking.add(id)
    },
    givenUp: (id) => void asking.delete(id),
    kept(id) {
      refusal = null
      asking.delete(id)
    },
  }
}

/** A broken connection is no refusal: it takes no hold either, and the next one may work. A locked row concerns one wallet. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof pg.DatabaseError &&
    (CANNOT_WRITE.test(error.code ?? '') || isTableLocked(error))
  )
}
