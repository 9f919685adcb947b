import { AppError } from '../errors/app-error.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { publicId, type Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import { cassetteKeyOf, type CassetteDeps } from './cassette.ts'

/** A cassette as callers see it. */
export type CassetteRecord = {
  readonly id: string
  readonly name: string
  /** The key of scope "own" that owns it. Null: it belongs to the account. */
  readonly key_id: string | null
  readonly recordings: number
  readonly bytes: number
  readonly created_at: string
  readonly recorded_at: string
  readonly expires_at: string
}

type Row = {
  readonly id: Id
  readonly name: string
  readonly key_id: Id | null
  readonly recordings: number
  readonly bytes: bigint
  readonly created_ms: bigint
  readonly recorded_ms: bigint
  readonly expires_ms: bigint
}

const FIELDS = 'id, name, key_id, recordings, bytes, created_ms, recorded_ms, expires_ms'
/** Condition: cassettes of the account $1 that the owner with the key $2 sees, at $3. */
const VISIBLE = 'account_id = $1 and ($2::uuid is null or key_id = $2) and expires_ms > $3'

/** The cassettes that the owner sees, by name. An account has at most MOST_CASSETTES. */
export async function listCassettes(
  { database, now }: CassetteDeps,
  owner: Owner,
): Promise<CassetteRecord[]> {
  const { rows } = await database.query<Row>(
    `select ${FIELDS} from cassettes where ${VISIBLE} order by name, id`,
    [owner.accountId, cassetteKeyOf(owner), now()],
  )
  return rows.map(toRecord)
}

/** A cassette by its name, or by its id if it belongs to another key. Throws AppError `unknown_cassette`. */
export async function readCassette(
  deps: CassetteDeps,
  owner: Owner,
  nameOrId: string,
): Promise<CassetteRecord> {
  return toRecord(await findCassette(deps, owner, nameOrId))
}

/** Deletes a cassette and its recordings. A test key deletes none with paid ones. Throws AppError `unknown_cassette`, key_cannot_mint_keys. */
export async function deleteCassette(
  deps: CassetteDeps,
  owner: Owner,
  nameOrId: string,
): Promise<CassetteRecord> {
  const found = await findCassette(deps, owner, nameOrId)
  const { count } = await deps.database.query(
    `delete from cassettes where id = $1 and ($2 = 'live' or not exists (
       select from recordings where cassette_id = $1 and charged_micros > 0))`,
    [found.id, owner.mode],
  )
  if (count === 0 && owner.mode === 'test')
    throw new AppError('key_cannot_mint_keys', 'The cassette has recordings of paid live calls.', {
      fix: 'Delete it with a live key, or sign in at /sign-in.',
    })
  return toRecord(found)
}

export async function findCassette(
  { database, now }: CassetteDeps,
  owner: Owner,
  nameOrId: string,
): Promise<Row> {
  const keyId = cassetteKeyOf(owner)
  const { rows } = await database.query<Row>(
    `select ${FIELDS} from cassettes
     where ${VISIBLE} and ((name = $4 and key_id is not distinct from $2) or 'cas_' || replace(id::text, '-', '') = $4)`,
    [owner.accountId, keyId, now(), nameOrId],
  )
  const [row] = rows
  if (row === undefined) throw new AppError('unknown_cassette')
  return row
}

/** Deletes expired cassettes. Returns their number. */
export async function sweepCassettes({ database, now }: CassetteDeps): Promise<number> {
  const { count } = await database.query(
    'delete from cassettes where id in (select id from cassettes where expires_ms < $1 limit 20)',
    [now()],
  )
  return count
}

function toRecord(row: Row): CassetteRecord {
  return {
    id: publicId('cassette', row.id),
    name: row.name,
    key_id: row.key_id === null ? null : publicId('key', row.key_id),
    recordings: row.recordings,
    bytes: Number(row.bytes),
    created_at: toRfc3339(Number(row.created_ms)),
    recorded_at: toRfc3339(Number(row.recorded_ms)),
    expires_at: toRfc3339(Number(row.expires_ms)),
  }
}
