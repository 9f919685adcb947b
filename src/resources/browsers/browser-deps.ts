import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { send } from '../../upstream/send.ts'
import { errorOf } from '../../upstream/sent.ts'
import type { Target } from '../../upstream/target.ts'
import type { Ask } from '../sessions/box.ts'

/** `target`: the vendor with the operator's key; null where there is none. */
export type BrowserDeps = {
  readonly database: Database
  readonly now: Clock
  readonly target: Target | null
}

/** Charges for these minutes in the transaction that makes them the session's. Throws AppError where nothing is held for them any more. */
export type Sale<Answer> = (
  tx: Transaction,
  sold: { readonly minutes: number; readonly data: Data },
) => Promise<Answer>

/** The way to the vendor for one account, with so much time for each request. Throws AppError upstream_not_configured where the operator has no key by now. */
export function askFor({ target, now }: BrowserDeps, accountId: Id, timeoutMs: number): Ask {
  if (target === null)
    throw new AppError(
      'upstream_not_configured',
      'This session was opened with a key of the vendor that this gateway has no more. Nothing was charged.',
      {
        fix: 'Open another with browser/create_session. This one ends when its paid minutes are over.',
      },
    )
  return async (wire) => {
    const deadline = new Deadline(timeoutMs)
    try {
      const sent = await send(target, wire, {
        deadline,
        vendorKey: newId(now()),
        accountId,
        now,
      })
      if (sent.ok) return sent.reply
      throw errorOf(sent.failure)
    } finally {
      deadline.end()
    }
  }
}
