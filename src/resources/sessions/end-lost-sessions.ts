import type { Id } from '../../lib/ids.ts'
import { endOnce } from './end-session.ts'
import type { SessionDeps } from './session-deps.ts'

const BATCH_SIZE = 100

/**
 * Ends sessions whose machine ran in a gateway process that has died. The id of a session ends with
 * the lease of the process that opened it. Returns their number.
 */
export async function endLostSessions(deps: SessionDeps): Promise<number> {
  const { rows } = await deps.database.query<{ id: Id }>(
    `select id from compute_sessions where closed_ms is null and handle ? 'machine'
       and not exists (select from process_leases where number = right(replace(compute_sessions.id::text, '-', ''), 6))
     limit ${BATCH_SIZE}`,
  )
  for (const { id } of rows) await endOnce(deps, id, 'gone')
  return rows.length
}
