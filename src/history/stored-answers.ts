import type { SqlValue } from '../db/database.ts'
import type { Id } from '../lib/ids.ts'
import { onlyMaker, ownRoutesOf, type Owner } from '../lib/owner.ts'
import type { HistoryDatabase } from './histories.ts'

/** A call by its id, or by the idempotency key that its caller sent. */
export type CallName = { readonly id: Id } | { readonly idempotencyKey: string }

/** `status` and `body` are null while the call is running. */
export type StoredAnswerRow = {
  readonly call_id: Id
  readonly status: number | null
  readonly body: string | null
  readonly expires_ms: bigint
}

export type AnswerReader = { readonly database: HistoryDatabase; readonly owner: Owner }

// Responses that contain a secret are stored encrypted, under routes with a space such as
// "POST /api/v1/agents". `base` is the route without the prefix of a key's own routes.
const STORED = `from answers
    cross join lateral (select case when route like 'key/%' then substr(route, 38) else route end as base) as own
    where account_id = $1 and base not like '% %' and starts_with(base, 'test:') = $2
      and ($3::text is null or starts_with(route, $3))`

function valuesOf(owner: Owner): readonly SqlValue[] {
  const maker = onlyMaker(owner)
  return [owner.accountId, owner.mode === 'test', maker === null ? null : ownRoutesOf(maker)]
}

/** The stored answer of a call; of several calls with one key, of the newest. */
export async function readStoredAnswer(
  { database, owner }: AnswerReader,
  name: CallName,
): Promise<StoredAnswerRow | undefined> {
  const isById = 'id' in name
  const { rows } = await database.query<StoredAnswerRow>(
    `select call_id, status, body, expires_ms ${STORED} and ${isById ? 'call_id' : 'idempotency_key'} = $4 order by call_id desc limit 1`,
    [...valuesOf(owner), isById ? name.id : name.idempotencyKey],
  )
  return rows[0]
}

/** Facts of the calls of a list that their transactions do not have. */
export type CallMarks = {
  /** Calls whose response or result is stored. */
  readonly stored: ReadonlySet<Id>
  /** Jobs that no worker has begun. */
  readonly queued: ReadonlySet<Id>
}

/** The marks of these calls, at most a page of them. */
export async function readCallMarks(
  { database, owner }: AnswerReader,
  ids: readonly Id[],
): Promise<CallMarks> {
  if (ids.length === 0) return { stored: new Set(), queued: new Set() }
  const { rows } = await database.query<{ id: Id; mark: keyof CallMarks }>(
    `select call_id as id, 'stored' as mark ${STORED} and call_id = any($4) and status is not null
     union all
     select id, case when status = 'queued' then 'queued' else 'stored' end from jobs
     where account_id = $1 and (mode = 'test') = $2 and ($5::uuid is null or budget_id = $5) and id = any($4) and (status = 'queued' or result is not null)`,
    [...valuesOf(owner), ids, onlyMaker(owner)],
  )
  const withMark = (wanted: keyof CallMarks): ReadonlySet<Id> =>
    new Set(rows.flatMap(({ id, mark }) => (mark === wanted ? [id] : [])))
  return { stored: withMark('stored'), queued: withMark('queued') }
}

export type JobOfCall = {
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed'
  readonly result: unknown
}

/** The job of a call, for 30 days after its end; or null. */
export async function readJobOfCall(
  { database, owner }: AnswerReader,
  id: Id,
): Promise<JobOfCall | null> {
  const { rows } = await database.query<JobOfCall>(
    'select status, result from jobs where id = $1 and account_id = $2 and mode = $3 and ($4::uuid is null or budget_id = $4)',
    [id, owner.accountId, owner.mode, onlyMaker(owner)],
  )
  return rows[0] ?? null
}
