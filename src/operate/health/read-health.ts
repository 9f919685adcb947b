import { readStanding, type Standing } from '../../accounts/standing.ts'
import type { Database } from '../../db/database.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Mode } from '../../lib/mode.ts'
import { readHours, type ServiceHour } from '../totals/read-totals.ts'

export const HEALTH_HOURS = 24
const ROWS_SHOWN = 20

export type JobLine = {
  readonly id: Id
  readonly accountId: Id
  readonly name: string
  readonly mode: Mode
  readonly status: 'queued' | 'running' | 'failed'
  readonly isCancelled: boolean
  readonly attempt: number
  readonly createdMs: number
  readonly errorCode: string | null
}

export type WebhookLine = {
  readonly id: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly receiver: string
  readonly because: string
  readonly failingSinceMs: number | null
}

export type DeliveryLine = {
  readonly id: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly type: string
  readonly tries: number
  readonly endedMs: number | null
}

export type DatabaseHealth = {
  readonly version: string
  readonly bytes: number
  readonly connections: number
  readonly mostConnections: number
  readonly newestMigration: string | null
}

export type Health = {
  readonly hours: readonly ServiceHour[]
  /** The hour now, counted from 1970. */
  readonly hour: number
  readonly standing: Readonly<Record<Mode, Standing>>
  readonly leases: readonly { readonly number: string; readonly beatAt: Date }[]
  readonly database: DatabaseHealth
  readonly openJobs: readonly JobLine[]
  readonly failedJobs: readonly JobLine[]
  readonly webhooks: readonly WebhookLine[]
  readonly deliveries: readonly DeliveryLine[]
}

/** Reads open items and totals only, so the cost does not grow with the history. */
export async function readHealth({
  database,
  now,
}: {
  readonly database: Database
  readonly now: Clock
}): Promise<Health> {
  const hour = Math.floor(now() / HOUR_MS)
  const { query } = database
  return {
    hour,
    hours: await readHours(database, {
      mode: 'live',
      fromHour: hour - HEALTH_HOURS + 1,
      untilHour: hour + 1,
    }),
    standing: await readStanding(query, now()),
    leases: await readLeases(database),
    database: await readDatabase(database),
    openJobs: await readJobs(database, "status in ('queued', 'running')", 'id'),
    failedJobs: await readJobs(database, "status = 'failed'", 'finished_ms desc', now() - DAY_MS),
    webhooks: await readWebhooks(database),
    deliveries: await readDeliveries(database, now() - DAY_MS),
  }
}

async function readLeases({ query }: Database) {
  const { rows } = await query<{ number: string; beat_at: Date }>(
    'select number, beat_at from process_leases where not is_ended order by beat_at desc limit 50',
  )
  return rows.map(({ number, beat_at: beatAt }) => ({ number, beatAt }))
}

async function readDatabase({ query }: Database): Promise<DatabaseHealth> {
  const { rows } = await query<{
    version: string
    bytes: string
    connections: number
    most: number
    migration: string | null
  }>(
    `select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
       (select count(*) from pg_stat_activity where datname = current_database())::integer as connections,
       current_setting('max_connections')::integer as most, (select max(name) from migrations) as migration`,
  )
  const [row] = rows
  return {
    version: row?.version ?? '',
    bytes: Number(row?.bytes ?? 0),
    connections: row?.connections ?? 0,
    mostConnections: row?.most ?? 0,
    newestMigration: row?.migration ?? null,
  }
}

async function readJobs(
  { query }: Database,
  condition: string,
  order: string,
  sinceMs?: number,
): Promise<readonly JobLine[]> {
  const { rows } = await query<{
    id: Id
    account_id: Id
    name: string
    mode: Mode
    status: JobLine['status']
    is_cancelled: boolean
    attempt: number
    created_ms: bigint
    error_code: string | null
  }>(
    `select id, account_id, service || '/' || action as name, mode, status, is_cancelled, attempt, created_ms, error_code
     from jobs where ${condition} ${sinceMs === undefined ? '' : 'and finished_ms >= $2'} order by ${order} limit $1`,
    sinceMs === undefined ? [ROWS_SHOWN] : [ROWS_SHOWN, sinceMs],
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    mode: row.mode,
    status: row.status,
    isCancelled: row.is_cancelled,
    attempt: row.attempt,
    createdMs: Number(row.created_ms),
    errorCode: row.error_code,
  }))
}

async function readWebhooks({ query }: Database): Promise<readonly WebhookLine[]> {
  const { rows } = await query<{
    id: Id
    account_id: Id
    mode: Mode
    url: string | null
    disabled_because: string
    failing_since_ms: bigint | null
  }>(
    `select id, account_id, mode, url, disabled_because, failing_since_ms from webhooks
     where status = 'disabled' and disabled_because in ('gone', 'failing') order by id desc limit $1`,
    [ROWS_SHOWN],
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    receiver: hostOf(row.url),
    because: row.disabled_because,
    failingSinceMs: row.failing_since_ms === null ? null : Number(row.failing_since_ms),
  }))
}

// The path of a receiver's address is often a secret.
function hostOf(url: string | null): string {
  return url === null ? 'email' : (URL.parse(url)?.host ?? 'unknown')
}

async function readDeliveries(
  { query }: Database,
  sinceMs: number,
): Promise<readonly DeliveryLine[]> {
  const { rows } = await query<{
    id: Id
    account_id: Id
    mode: Mode
    type: string
    tries: number
    ended_ms: bigint | null
  }>(
    `select newest.id, newest.account_id, newest.mode, type, tries, ended_ms
     from (select * from deliveries where status = 'failed' and created_ms >= $2 order by id desc limit $1) as newest
       join events on events.id = event_id order by newest.id desc`,
    [ROWS_SHOWN, sinceMs],
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    type: row.type,
    tries: row.tries,
    endedMs: row.ended_ms === null ? null : Number(row.ended_ms),
  }))
}
