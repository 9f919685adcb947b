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
import type { BrowserDriver } from './browser-driver.ts'
import { browserbaseDriver } from './browserbase.ts'
import { ownDriver } from './in-house/own-driver.ts'
import type { OwnBrowsers } from './in-house/own-browsers.ts'

/** `target`: the vendor with the operator's key; null without a key. */
export type BrowserDeps = {
  readonly database: Database
  readonly now: Clock
  readonly target: Target | null
  /** The browsers of this machine, if the operator enabled them. */
  readonly own?: OwnBrowsers | undefined
}

/** Where a session is, or will be. `hostSeenMs`: null for a session of the vendor. */
export type Place = {
  readonly hostSeenMs: bigint | null
  readonly host: string | null
  readonly accountId: Id
  readonly timeoutMs: number
}

/**
 * Charges for these minutes in the transaction that adds them to the session. Throws AppError if
 * the hold has ended.
 */
export type Sale<Answer> = (
  tx: Transaction,
  sold: { readonly minutes: number; readonly data: Data },
) => Promise<Answer>

/** Throws AppError `upstream_not_configured` if the operator has turned the place off. */
export function driverFor(deps: BrowserDeps, place: Place): BrowserDriver {
  return place.hostSeenMs === null
    ? browserbaseDriver(askFor(deps, place.accountId, place.timeoutMs))
    : ownDriver(deps, { ...place, hostSeenMs: Number(place.hostSeenMs) })
}

/**
 * Sends requests to the vendor for one account, each with this timeout. Throws AppError
 * `upstream_not_configured` if the operator has removed the key.
 */
function askFor({ target, now }: BrowserDeps, accountId: Id, timeoutMs: number): Ask {
  if (target === null)
    throw new AppError(
      'upstream_not_configured',
      'This gateway no longer has the vendor key that opened this session. Nothing was charged.',
      {
        fix: 'Open another with browser/create_session. This one ends after its paid minutes.',
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
