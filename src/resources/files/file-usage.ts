import type { Database } from '../../db/database.ts'
import { publicId, type Id } from '../../lib/ids.ts'
import { onlyMaker, type Owner } from '../../lib/owner.ts'

/** Bytes used by the owner's files and open uploads. */
export async function readUsage(database: Database, owner: Owner): Promise<number> {
  const { accountId, mode } = owner
  const maker = onlyMaker(owner)
  if (maker !== null) {
    const { rows } = await database.query<{ used_bytes: bigint }>(
      'select coalesce(sum(size_bytes), 0)::bigint as used_bytes from files where account_id = $1 and mode = $2 and key_id = $3',
      [accountId, mode, maker],
    )
    return Number(rows[0]?.used_bytes ?? 0n)
  }
  const { rows } = await database.query<{ used_bytes: bigint }>(
    'select used_bytes from file_room where account_id = $1 and mode = $2',
    [accountId, mode],
  )
  return Number(rows[0]?.used_bytes ?? 0n)
}

const MAX_NAMED_UPLOADS = 20
const OPEN_UPLOADS = `
  select id, count(*) over () as count, (sum(size_bytes) over ())::bigint as bytes from files
  where account_id = $1 and mode = $2 and object_key is null and ($3::uuid is null or key_id = $3) order by id limit ${MAX_NAMED_UPLOADS}`

/** The owner's open uploads: their number, their size, and the oldest of them. */
export async function readOpenUploads(
  database: Database,
  owner: Owner,
): Promise<{
  readonly count: number
  readonly bytes: number
  readonly fileIds: readonly string[]
}> {
  const { rows } = await database.query<{ id: Id; count: bigint; bytes: bigint }>(OPEN_UPLOADS, [
    owner.accountId,
    owner.mode,
    onlyMaker(owner),
  ])
  return {
    count: Number(rows[0]?.count ?? 0n),
    bytes: Number(rows[0]?.bytes ?? 0n),
    fileIds: rows.map(({ id }) => publicId('file', id)),
  }
}

/**
 * A statement that atomically removes the files selected by `condition`, releases their space and
 * queues their objects for removal. $1 is the time. Returns object_key and size_bytes of each.
 */
export function removalOf(condition: string): string {
  return `
  with gone as (delete from files where ${condition} returning account_id, mode, size_bytes, object_key),
  freed as (select account_id, mode, sum(size_bytes) as bytes from gone group by account_id, mode),
  space as (
    update file_room set used_bytes = used_bytes - freed.bytes from freed
    where file_room.account_id = freed.account_id and file_room.mode = freed.mode
  ),
  loose as (insert into loose_objects (key, due_at) select object_key, $1::timestamptz from gone where object_key is not null)
  select object_key, size_bytes from gone`
}
