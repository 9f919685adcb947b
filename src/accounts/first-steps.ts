import type { Database } from '../db/database.ts'
import type { Actor } from '../keys/caller.ts'
import { publicId, type Id } from '../lib/ids.ts'

/** The first steps of an account, which complete themselves. */
export type FirstSteps = {
  /** A key was copied, created or used. */
  readonly hasKey: boolean
  /** A key has made a call, live or test. */
  readonly hasCalled: boolean
  /** A key has a spending limit. */
  readonly hasLimit: boolean
  /** The primary live key, which can get a limit. */
  readonly primaryKey: string | null
}

/** Null when all steps are done or the holder has dismissed them. */
export async function readFirstSteps(
  database: Database,
  accountId: Id,
): Promise<FirstSteps | null> {
  const { rows } = await database.query<{
    dismissed: boolean
    copied: boolean
    created: boolean
    used: boolean
    called: boolean
    limited: boolean
    primary_id: Id | null
  }>(
    `select steps_dismissed as dismissed, key_copied as copied, sums.* from accounts, (
       select coalesce(bool_or(not is_primary), false) as created, coalesce(bool_or(last_used_ms is not null), false) as used,
         exists (select from transactions where wallet_id in (select id from wallets where account_id = $1) and service is not null) as called,
         coalesce(bool_or(ceiling_micros is not null), false) as limited,
         (array_agg(keys.id) filter (where is_primary and mode = 'live'))[1] as primary_id
       from keys join budgets on budgets.id = keys.id where account_id = $1
     ) as sums where accounts.id = $1`,
    [accountId],
  )
  const [row] = rows
  if (row === undefined || row.dismissed) return null
  const { copied, created, used, called, limited, primary_id: primary } = row
  const hasKey = copied || created || used
  if (hasKey && called && limited) return null
  return {
    hasKey,
    hasCalled: called,
    hasLimit: limited,
    primaryKey: primary === null ? null : publicId('key', primary),
  }
}

/** Remembers that the holder has copied a key, or hides the steps for good. */
export async function markFirstSteps(
  database: Database,
  { accountId }: Pick<Actor, 'accountId'>,
  what: 'copied' | 'dismissed',
): Promise<void> {
  await database.transaction((tx) =>
    tx.query(
      what === 'copied'
        ? 'update accounts set key_copied = true where id = $1'
        : 'update accounts set steps_dismissed = true where id = $1',
      [accountId],
    ),
  )
}
