import { isLeaseNumber, type LeaseNumber } from '../lib/ids.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/statement-line/answer-reader.ts'
import type { Statement } from '../db/statement-line/statement-bytes.ts'

export const BEAT_MS = 2_000
/** An observer ends a lease whose count stood still for so long. Three beats of its own fit in, so the third after the last new count finds it. */
export const DEAD_AFTER_MS = 5_500
/** The holder stops using its lease when its last confirmed beat began so long ago: before any observer may end it. */
export const SURE_FOR_MS = 5_000
/** Running observers have ended the lease of a dead process so long after its last beat: one beat until they saw it, and three looks more. */
export const ENDED_WITHIN_MS = 4 * BEAT_MS

/** A lease as another process sees it. */
export type SeenLease = { readonly number: LeaseNumber; readonly beat: bigint }

export type Beaten = { readonly isMine: boolean; readonly others: readonly SeenLease[] }

/** The only statement that a process runs all its life: it renews its own lease and reads the others. */
export function beatStatement(number: LeaseNumber): Statement {
  return {
    name: 'lease_beat',
    text: `with mine as (update process_leases set beat = beat + 1, beat_at = clock_timestamp() where number = $1 and not is_ended returning number)
      select number, beat, exists (select from mine) from process_leases where number <> $1
      union all select null, null, exists (select from mine)`,
    values: [number],
  }
}

export function beatenOf(rows: readonly Columns[]): Beaten {
  const others = rows.flatMap(([number, beat]) =>
    typeof number === 'string' && typeof beat === 'string' && isLeaseNumber(number)
      ? [{ number, beat: BigInt(beat) }]
      : [],
  )
  return { isMine: rows.some(([, , isMine]) => isMine === 't'), others }
}

/** False when a lease has that number already. */
export async function insertLease(
  database: Pick<Database, 'query'>,
  number: LeaseNumber,
): Promise<boolean> {
  const { count } = await database.query(
    'insert into process_leases (number) values ($1) on conflict do nothing',
    [number],
  )
  return count === 1
}

/**
 * Ends a lease, unless it has beaten since it was seen: from this commit on its holder cannot renew it. Exactly one
 * observer gets true, and releases the work. The count moves, so should that one die too, the others take over later.
 */
export async function endLease(
  database: Pick<Database, 'query'>,
  { number, beat }: SeenLease,
): Promise<boolean> {
  const { count } = await database.query(
    'update process_leases set is_ended = true, beat = beat + 1 where number = $1 and beat = $2',
    [number, beat],
  )
  return count === 1
}

/** Ends the lease of a process that stops in order. */
export async function endOwnLease(
  database: Pick<Database, 'query'>,
  number: LeaseNumber,
): Promise<void> {
  await database.query(
    'update process_leases set is_ended = true, beat = beat + 1 where number = $1',
    [number],
  )
}

/** To be called when nothing is left to release. */
export async function deleteLease(
  database: Pick<Database, 'query'>,
  number: LeaseNumber,
): Promise<void> {
  await database.query('delete from process_leases where number = $1 and is_ended', [number])
}
