import { encodeCursor, decodeCursor } from '../lib/cursor.ts'
import type { Id } from '../lib/ids.ts'
import type { Owner } from '../lib/owner.ts'
import type { CassetteDeps } from './cassette.ts'
import { findCassette } from './list-cassettes.ts'
import { toFile, type RecordingFile } from './recording-file.ts'

const MOST_ON_PAGE = 50
/** A page ends with the recording that reaches this. */
const PAGE_BYTES = 2 * 1024 * 1024

type Row = {
  readonly id: Id
  readonly route: string
  readonly input: string
  readonly status: number
  readonly body: string
  readonly is_events: boolean
  readonly model: string | null
  readonly charged_micros: bigint
  readonly is_live: boolean
  readonly recorded_ms: bigint
}

/** A page of the recordings of a cassette, in their order. Throws AppError `unknown_cassette`. */
export async function readRecordings(
  deps: CassetteDeps,
  owner: Owner,
  { name, cursor }: { readonly name: string; readonly cursor: string | null },
): Promise<{ readonly recordings: RecordingFile[]; readonly nextCursor: string | null }> {
  const { id } = await findCassette(deps, owner, name)
  const { rows } = await deps.database.query<Row>(
    `select id, route, input, status, body, is_events, model, charged_micros, is_live, recorded_ms
     from (
       select *, sum(bytes) over (order by id) - bytes as before
       from (select * from recordings where cassette_id = $1 and ($2::uuid is null or id > $2) order by id limit ${MOST_ON_PAGE}) as next
     ) as page
     where before < ${PAGE_BYTES} order by id`,
    [id, cursor === null ? null : decodeCursor(cursor)],
  )
  const last = rows.at(-1)?.id
  return { recordings: rows.map(toRecording), nextCursor: await cursorAfter(deps, id, last) }
}

async function cursorAfter(
  { database }: CassetteDeps,
  cassetteId: Id,
  last: Id | undefined,
): Promise<string | null> {
  if (last === undefined) return null
  const { count } = await database.query(
    'select from recordings where cassette_id = $1 and id > $2 limit 1',
    [cassetteId, last],
  )
  return count === 0 ? null : encodeCursor(last)
}

function toRecording(row: Row): RecordingFile {
  return toFile({
    route: row.route,
    input: JSON.parse(row.input) as unknown,
    status: row.status,
    body: row.body,
    isEvents: row.is_events,
    model: row.model,
    charged: row.charged_micros,
    isLive: row.is_live,
    recordedMs: Number(row.recorded_ms),
  })
}
