import { MAILBOX_OF_ACCOUNT } from '../../db/account-mailbox.ts'
import type { Database } from '../../db/database.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { toLine } from '../../lib/escapes.ts'
import { shortText } from '../../lib/short-text.ts'
import type { Guard } from '../../upstream/guard.ts'
import { describePostFailure, postMessage } from '../../upstream/post-message.ts'
import { eventRecord } from '../event-record.ts'
import type { SecretBox } from '../webhooks/secrets.ts'
import type { Claimed } from './claim-deliveries.ts'
import { takePace } from './take-pace.ts'
import { emailOf, jsonBody, slackBody } from './message.ts'
import type { TryResult } from './record-try.ts'
import { LONGEST_RETRY_AFTER_MS } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type SendDeps = {
  readonly database: Database
  readonly now: Clock
  readonly guard: Pick<Guard, 'checkUrl' | 'vendors'>
  readonly secrets: SecretBox
  readonly publicUrl: string
  readonly userAgent: string
  /** Null: the gateway sends no email. */
  readonly sendMail: ((mail: Mail) => Promise<void>) | null
}

const TRY_MS = 20_000
/** Emails of an account: 20, and one more every three minutes. The rest waits. */
const EMAILS = { lane: 'email', intervalMs: HOUR_MS / 20, burst: 20 }
/** Emails to an account about its disabled webhooks. */
const NOTICES = { lane: 'notice', intervalMs: HOUR_MS, burst: 5 }
const GONE = 410
const MOST_NOTE_CHARACTERS = 200

/** Makes one try. Never throws: a failure is a result. */
export async function sendDelivery(deps: SendDeps, claimed: Claimed): Promise<TryResult> {
  const atMs = deps.now()
  const startedMs = performance.now()
  const result = (
    kind: TryResult['kind'],
    status: number | null,
    note: string | null,
    retryAfterMs = 0,
  ): TryResult => ({
    kind,
    retryAfterMs,
    attempt: {
      at_ms: atMs,
      took_ms: Math.round(performance.now() - startedMs),
      status,
      note: note === null ? null : shortText(note, MOST_NOTE_CHARACTERS),
    },
  })
  try {
    if (claimed.format === 'email') {
      const sent = await sendEmail(deps, claimed)
      if (sent === 'failed') return result('failed', null, 'The email could not be sent')
      return sent === 'delivered'
        ? result('delivered', null, null)
        : result('postponed', null, null, sent.waitMs)
    }
    const answer = await post(deps, claimed, atMs)
    const { status, retryAfterMs } = answer
    if (status >= 200 && status < 300) return result('delivered', status, null)
    if (status === GONE) return result('gone', status, 'The receiver wants no more events')
    const note =
      status >= 300 && status < 400 ? 'Redirects are not followed' : beginningOf(answer.text)
    return result('failed', status, note, retryAfterMs)
  } catch (error) {
    return result('failed', null, describePostFailure(error))
  }
}

function post(deps: SendDeps, claimed: Claimed, atMs: number) {
  const event = eventRecord(claimed)
  const body = claimed.format === 'slack' ? slackBody(event) : jsonBody(event)
  const timestamp = Math.floor(atMs / 1000)
  return postMessage(deps.guard, claimed.url ?? '', {
    headers: {
      'user-agent': deps.userAgent,
      ...signedHeaders({ id: event.id, timestamp, body }, secretsOf(deps, claimed, atMs)),
    },
    body,
    timeoutMs: TRY_MS,
    longestPauseMs: LONGEST_RETRY_AFTER_MS,
    now: deps.now,
  })
}

function secretsOf({ secrets }: SendDeps, claimed: Claimed, nowMs: number): readonly string[] {
  const { webhook_id: id, secret, former_secret: former, former_until_ms: untilMs } = claimed
  if (id === null || secret === null)
    return [secrets.jobSecret(claimed.key_id ?? claimed.account_id)]
  const current = secrets.open(secret, id)
  return former !== null && Number(untilMs) > nowMs
    ? [current, secrets.open(former, id)]
    : [current]
}

/** Callers see no reason of a failure, because it names the operator's server. */
async function sendEmail(
  { database, now, sendMail, publicUrl }: SendDeps,
  claimed: Claimed,
): Promise<'delivered' | 'failed' | { readonly waitMs: number }> {
  const { rows } = await database.query<{ email: string | null }>(
    `select ${MAILBOX_OF_ACCOUNT} as email from accounts where id = $1`,
    [claimed.account_id],
  )
  const [account] = rows
  if (account === undefined || account.email === null || sendMail === null) return 'failed'
  const waitMs = await takePace(database, EMAILS, claimed.account_id, now())
  if (waitMs > 0) return { waitMs }
  const mail = emailOf(eventRecord(claimed), { to: account.email, publicUrl })
  return sendMail(mail).then(
    () => 'delivered',
    () => 'failed',
  )
}

/** The email that an account gets when its webhook was disabled. */
export async function mailDisabled(
  { database, now, sendMail, publicUrl }: SendDeps,
  { webhookId, because }: { readonly webhookId: Id; readonly because: string },
): Promise<void> {
  const { rows } = await database.query<{
    email: string | null
    url: string | null
    account_id: Id
  }>(
    `select ${MAILBOX_OF_ACCOUNT} as email, url, account_id from webhooks join accounts on accounts.id = account_id where webhooks.id = $1`,
    [webhookId],
  )
  const [row] = rows
  if (row === undefined || row.email === null || sendMail === null) return
  if ((await takePace(database, NOTICES, row.account_id, now())) > 0) return
  const reason =
    because === 'gone'
      ? 'its server answered 410 Gone'
      : 'its server has accepted no event for five days'
  await sendMail({
    to: row.email,
    subject: 'Tollgate: a webhook was disabled',
    text: `The gateway disabled the webhook ${row.url ?? ''} because ${reason}.

Events are stored for 35 days. Enable the webhook and send the missed events on ${publicUrl}/webhooks.

Sent by the Tollgate at ${publicUrl}.
`,
  })
}

/** One line of the response, for the owner of the receiver. */
function beginningOf(text: string): string | null {
  const line = toLine(text).replaceAll(/\s+/g, ' ').trim()
  return line === '' ? null : line
}
