import type { Id } from '../../../lib/ids.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { DeliveryReport } from './parsed-message.ts'

const MAX_BOUNCES = 50

// Each recipient of the message once, however often its report arrives. Senders choose the rest.
const RECORD = `
  update inbox_messages set bounces = bounces || (
    select coalesce(jsonb_agg(failure), '[]') from jsonb_array_elements($2::jsonb) as failure
    where lower(failure ->> 'recipient') in (select lower(recipient) from unnest(recipients) as recipient)
      and not exists (select from jsonb_array_elements(bounces) as known
      where lower(known ->> 'recipient') = lower(failure ->> 'recipient')))
  where status <> 'received' and jsonb_array_length(bounces) < ${MAX_BOUNCES} and `

/** Records a delivery report at the sent message. */
export async function recordBounce(
  deps: Pick<InboxDeps, 'database' | 'now'>,
  id: Id,
  report: DeliveryReport,
): Promise<void> {
  await deps.database.query(`${RECORD} id = $1`, [id, toBounces(deps, report)])
}

/** Records a report that a server sent to the inbox instead, by the Message-ID of the sent message. */
export async function recordReport(
  deps: Pick<InboxDeps, 'database' | 'now'>,
  inbox: string,
  report: DeliveryReport,
): Promise<void> {
  if (report.messageId === null) return
  await deps.database.query(`${RECORD} inbox = $1 and message_id = $3`, [
    inbox,
    toBounces(deps, report),
    report.messageId,
  ])
}

function toBounces({ now }: Pick<InboxDeps, 'now'>, { failures }: DeliveryReport): string {
  const at = new Date(now()).toISOString()
  return JSON.stringify(failures.map((failure) => ({ ...failure, at })))
}
