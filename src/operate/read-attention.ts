import { readGoneRoutes, type GoneRoute } from '../calls/lanes/gone-routes.ts'
import type { Database } from '../db/database.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../lib/clock.ts'
import type { Micros } from '../lib/money.ts'
import type { ServiceHour } from './totals/read-totals.ts'

/** Open items that need an operator, over all processes. */
export type Attention = {
  readonly payments: { readonly count: number; readonly amount: Micros }
  readonly sales: { readonly count: number; readonly amount: Micros }
  /** About this gateway's money, and not booked. */
  readonly cardEvents: number
  readonly failedJobs: number
  readonly disabledWebhooks: number
  /** The newest copy by "./tollgate backup"; null without any. */
  readonly lastBackupMs: number | null
  /** Services with routes that their vendors no longer offer. */
  readonly goneRoutes: readonly { readonly service: string; readonly routes: readonly string[] }[]
  /** Whether the totals include all transactions. */
  readonly counted: boolean
}

/** Reads partial indexes of open items only. */
export async function readAttention({
  database,
  now,
}: {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
}): Promise<Attention> {
  const { rows } = await database.query<{
    payments: bigint
    payment_sum: string
    sales: bigint
    sale_sum: string
    card_events: bigint
    jobs: bigint
    webhooks: bigint
    is_behind: boolean
  }>(
    `select payments.count as payments, payments.sum as payment_sum, sales.count as sales, sales.sum as sale_sum,
       (select count(*) from kept_card_events where is_ours) as card_events,
       (select count(*) from jobs where status = 'failed' and finished_ms >= $1) as jobs,
       (select count(*) from webhooks where status = 'disabled' and disabled_because in ('gone', 'failing')) as webhooks,
       (select is_behind from counting_progress) as is_behind
     from (select count(*), coalesce(sum(amount_micros), 0)::text as sum from payments where status = 'unknown' and mode = 'live') as payments,
       (select count(*), coalesce(sum(amount_micros), 0)::text as sum from sales where status = 'unknown') as sales`,
    [now() - DAY_MS],
  )
  const [row] = rows
  return {
    payments: { count: Number(row?.payments ?? 0), amount: BigInt(row?.payment_sum ?? 0) },
    sales: { count: Number(row?.sales ?? 0), amount: BigInt(row?.sale_sum ?? 0) },
    cardEvents: Number(row?.card_events ?? 0),
    failedJobs: Number(row?.jobs ?? 0),
    disabledWebhooks: Number(row?.webhooks ?? 0),
    lastBackupMs: await readLastBackup(database),
    goneRoutes: byService(await readGoneRoutes(database)),
    counted: row?.is_behind === false,
  }
}

function byService(gone: readonly GoneRoute[]): Attention['goneRoutes'] {
  return [...Map.groupBy(gone, ({ service }) => service)].map(([service, routes]) => ({
    service,
    routes: routes.map(({ action, endpoint }) => endpoint || action),
  }))
}

/** The time of the newest copy by "./tollgate backup"; null without any. */
export async function readLastBackup({ query }: Pick<Database, 'query'>): Promise<number | null> {
  const { rows } = await query<{ changed_at: Date }>(
    "select changed_at from changes where subject = 'backup' order by id desc limit 1",
  )
  return rows[0]?.changed_at.getTime() ?? null
}

export type VendorTrouble = {
  readonly service: string
  readonly kind: 'refused' | 'unpaid'
  readonly failed: number
  /** The start of the first hour in which it failed without any success after it. */
  readonly sinceMs: number
}

const CODES = { upstream_not_configured: 'refused', upstream_payment: 'unpaid' } as const

/**
 * Services whose vendor rejects the key or has no credit left: calls failed with that code after the last
 * success. `hours` must be of all services, oldest first.
 */
export function findTroubles(hours: readonly ServiceHour[]): readonly VendorTrouble[] {
  return [...Map.groupBy(hours, ({ service }) => service)].flatMap(([service, own]) =>
    Object.entries(CODES).flatMap(([code, kind]) => {
      const last = own.findLastIndex(({ calls, failed }) => calls > failed)
      const since = own.slice(Math.max(0, last)).filter(({ errors }) => (errors[code] ?? 0) > 0)
      const [first] = since
      // A success in the same hour may be older or newer than the failures.
      const isMixed = last >= 0 && own.at(-1) === own[last]
      if (first === undefined || (isMixed && !failsMostly(own[last], code))) return []
      return [
        {
          service,
          kind,
          failed: since.reduce((sum, { errors }) => sum + (errors[code] ?? 0), 0),
          sinceMs: first.hour * HOUR_MS,
        },
      ]
    }),
  )
}

function failsMostly(hour: ServiceHour | undefined, code: string): boolean {
  return hour !== undefined && (hour.errors[code] ?? 0) * 2 >= hour.calls
}
