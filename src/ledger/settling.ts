import pg from 'pg'
import { isRecent, type Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'

/**
 * Whether a call that begins now could be charged. With its disk full PostgreSQL may still take holds, into pages that it
 * has, and no settlement: every call would be carried out at the operator's expense. So while a settlement is refused, holds
 * are too. Once nobody asks for one again, a single call a second finds out whether it is over.
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
      // Not so a connection that broke: no hold gets through it either, and the next one may be whole.
      if (!(error instanceof pg.DatabaseError) || !CANNOT_WRITE.test(error.code ?? '')) return
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
