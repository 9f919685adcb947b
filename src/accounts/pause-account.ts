import type { Database, Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { announceChange } from '../keys/announce.ts'
import type { Clock } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import { findAccount, type FoundAccount } from './find-account.ts'

export type Paused = FoundAccount & { readonly changed: boolean }

export const PAUSE_ENDS =
  'Within five seconds its keys, tokens, signed-in browsers, clone URLs and file links stop working in all processes, its compute sessions, sandboxes and browser sessions end, and its webhooks wait. Paid calls and jobs in progress finish, and inboxes receive messages.'
export const RESUME_RESTORES =
  'Its keys, signed-in browsers, clone URLs, file links and webhooks work again. Sessions and sandboxes that ended stay ended.'

/**
 * Stops an account in all processes, until `resumeAccount`; `PAUSE_ENDS` lists its effects. Throws AppError
 * not_found, or bad_request for the operator's own account.
 */
export function pauseAccount(
  { database, now }: { readonly database: Database; readonly now: Clock },
  idOrEmail: string,
): Promise<Paused> {
  return setPause(database, idOrEmail, new Date(now()))
}

/** Ends the pause of an account. Throws AppError not_found. */
export function resumeAccount(database: Database, idOrEmail: string): Promise<Paused> {
  return setPause(database, idOrEmail, null)
}

async function setPause(
  database: Database,
  idOrEmail: string,
  pausedAt: Date | null,
): Promise<Paused> {
  const found = await findAccount(database, idOrEmail)
  if (found.account.owner && pausedAt !== null)
    throw new AppError('bad_request', "The operator's account cannot be paused.", {
      fix: 'Pause single keys on the /keys page.',
    })
  const changed = await database.transaction(async (tx) => {
    const { count } = await tx.query(
      'update accounts set paused_at = $2 where id = $1 and (paused_at is null) <> ($2::timestamptz is null)',
      [found.accountId, pausedAt],
    )
    if (count > 0) await announceKeysOf(tx, found.accountId)
    return count > 0
  })
  return { ...found, changed }
}

/** Drops the cached keys of an account in all processes. */
async function announceKeysOf(tx: Transaction, accountId: Id): Promise<void> {
  const { rows } = await tx.query<{ hash: string }>(
    "select encode(unnest(array_remove(array[secret_hash, former_secret_hash], null)), 'hex') as hash from keys where account_id = $1",
    [accountId],
  )
  await announceChange(
    tx,
    rows.map(({ hash }) => hash),
  )
}
