import type { Database } from '../../db/database.ts'
import type { Id } from '../../lib/ids.ts'

/** A lane has `burst` places, and gets one back every `intervalMs`. */
export type Pace = { readonly lane: string; readonly intervalMs: number; readonly burst: number }

/** Takes places of an account, over all processes. Returns 0, or the wait in milliseconds. */
export async function takePace(
  database: Pick<Database, 'query'>,
  { lane, intervalMs, burst }: Pace,
  accountId: Id,
  nowMs: number,
  places = 1,
): Promise<number> {
  const { rows } = await database.query<{ wait_ms: bigint }>(
    'select take_pace($1, $2, $3, $4, $5, $6) as wait_ms',
    [lane, accountId, nowMs, intervalMs, burst, places],
  )
  return Number(rows[0]?.wait_ms ?? 0n)
}
