import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { publicId } from '../../lib/ids.ts'
import type { Bound } from './key-policy.ts'

const MINUTE_MS = 60_000

/**
 * Counts a request in the minute of every policy with a rate limit, over all processes. Throws
 * AppError rate_limited for a request above a limit. Only keys with a limit cost a query.
 */
export async function countInRates(
  database: Pick<Database, 'query'>,
  { policies }: Bound,
  nowMs: number,
): Promise<void> {
  const minute = Math.floor(nowMs / MINUTE_MS)
  for (const { perMinute, keyId, isInherited } of policies) {
    if (perMinute === null) continue
    // The table is not logged, so the commit does not wait for the disk.
    const { count } = await database.query(
      `insert into key_rates as rate (key_id, minute, used) values ($1, $2, 1)
       on conflict (key_id) do update set minute = greatest(rate.minute, excluded.minute), used = case when rate.minute < excluded.minute then 1 else rate.used + 1 end
         where rate.minute < excluded.minute or rate.used < $3`,
      [keyId, minute, perMinute],
      'count_key_rate',
    )
    if (count > 0) continue
    const id = publicId('key', keyId)
    const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000))
    throw new AppError(
      'rate_limited',
      `${isInherited ? 'The parent key' : 'The key'} ${id} allows ${perMinute} requests a minute ("rate_limit_per_minute").`,
      {
        retryAfterSeconds: seconds,
        details: { rule: 'rate_limit_per_minute', rate_limit_per_minute: perMinute, key_id: id },
      },
    )
  }
}

/** Whether a policy of the caller limits the rate. */
export function hasRate({ policies }: Bound): boolean {
  return policies.some(({ perMinute }) => perMinute !== null)
}
