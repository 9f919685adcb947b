import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import type { Owner } from '../../lib/owner.ts'
import { driverFor, type BrowserDeps, type Sale } from './browser-deps.ts'
import {
  endedBrowser,
  findBrowser,
  isPaidFor,
  lockBrowser,
  MINUTE_MS,
  minutesBetween,
  unknownBrowser,
  type BrowserRow,
} from './browser-row.ts'

export type Extension = {
  readonly owner: Owner
  readonly session: string
  readonly minutes: number
  readonly timeoutMs: number
}

/**
 * Sells more minutes of a live session, after those already paid. Otherwise throws AppError and
 * sells nothing.
 */
export async function extendBrowser<Answer>(
  deps: BrowserDeps,
  { owner, session, minutes, timeoutMs }: Extension,
  sell: Sale<Answer>,
): Promise<Answer> {
  const { database, now } = deps
  const found = requireExtensible(await findBrowser(database, owner, session), minutes, now())
  const { host_seen_ms: hostSeenMs, host } = found
  const driver = driverFor(deps, { hostSeenMs, host, accountId: owner.accountId, timeoutMs })
  if (!(await driver.stateOf(session)).isAlive) throw endedBrowser()
  return database.transaction(async (tx) => {
    // Checked again: it may have been released, extended or ended during the request to the vendor.
    const row = requireExtensible(await lockBrowser(tx, found.id), minutes, now())
    const paidUntilMs = Number(row.paid_until_ms) + minutes * MINUTE_MS
    await tx.query('update browser_sessions set paid_until_ms = $2 where id = $1', [
      row.id,
      paidUntilMs,
    ])
    return sell(tx, {
      minutes,
      data: {
        sessionId: session,
        paidMinutes: minutesBetween(row.opened_ms, paidUntilMs),
        expiresAt: toRfc3339(paidUntilMs),
      },
    })
  })
}

function requireExtensible(
  row: BrowserRow | undefined,
  minutes: number,
  nowMs: number,
): BrowserRow {
  if (row === undefined) throw unknownBrowser()
  if (!isPaidFor(row, nowMs)) throw endedBrowser()
  const available = minutesBetween(row.paid_until_ms, row.lasts_until_ms)
  if (minutes <= available) return row
  throw new AppError(
    'invalid_params',
    `This session ends at ${toRfc3339(Number(row.lasts_until_ms))} at the latest, which leaves ${available} more minutes. Nothing was charged.`,
    {
      param: 'estimatedMinutes',
      fix:
        available === 0
          ? 'Open another with browser/create_session.'
          : `Send an "estimatedMinutes" of at most ${available}, or open another session with browser/create_session.`,
      details: { most_minutes: available },
    },
  )
}
