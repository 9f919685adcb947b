import { isLeaseNumber, type LeaseNumber } from '../lib/ids.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/pipeline/answer-reader.ts'
import type { Statement } from '../db/pipeline/statement-bytes.ts'

export const BEAT_MS = 2_000
/**
 * An observer ends a lease whose count has not changed for this long: more than two of the
 * observer's own beats.
 */
export const DEAD_AFTER_MS = 5_500
/**
 * The holder relies on its lease for this long after the start of its last confirmed beat.
 * Observers wait longer.
 */
export const RELIED_ON_MS = 5_000
/**
 * Observers end the lease of a dead process within this time after its last beat: one beat until
 * they see it, and three more looks.
 */
export const ENDED_WITHIN_MS = 4 * BEAT_MS

/** A lease as another process sees it. */
export type SeenLease = { readonly number: LeaseNumber; readonly beat: bigint }

export type BeatResult = { readonly isMine: boolean; readonly others: readonly SeenLease[] }

/** Renews this process's lease and reads the others. */
export function beatStatement(number: LeaseNumber): Statement {
  return {
    name: 'lease_beat',
    text: `with mine as (update process_leases set beat = beat + 1, beat_at = clock_timestamp() where number = $1 and not is_ended returning number)
      select number, beat, exists (select from mine) from process_leases where number <> $1
      union all select null, null, exists (select from mine)`,
    values: [number],
  }
}

export function readBeat(rows: readonly Columns[]): BeatResult {
  const others = rows.flatMap(([number, beat]) =>
    typeof number === 'string' && typeof beat === 'string' && isLeaseNumber(number)
      ? [{ number, beat: BigInt(beat) }]
      : [],
  )
  return { isMine: rows.some(([, , isMine]) => isMine === 't'), others }
}

/** Returns false when another lease has that number. */
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
 * Ends a lease unless it was renewed since it was seen. Its holder cannot renew it after this
 * commit. Exactly one observer gets true, and releases the work. The count changes, so if that
 * observer dies as well, another one takes over.
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

/** Ends the lease of this process during an orderly stop. */
export async function endOwnLease(
  database: Pick<Database, 'query'>,
  number: LeaseNumber,
): Promise<void> {
  await database.query(
    'update process_leases set is_ended = true, beat = beat + 1 where number = $1',
    [number],
  )
}

/** Call it after everything was released. */
export async function deleteLease(
  database: Pick<Database, 'query'>,
  number: LeaseNumber,
): Promise<void> {
  await database.query('delete from process_leases where number = $1 and is_ended', [number])
}
