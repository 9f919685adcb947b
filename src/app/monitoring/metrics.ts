/** The metrics of GET /metrics other than calls: the product, this process, and totals over all processes. */
import type { Database } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Reading, Sample } from '../../lib/reading.ts'
import { versionOfTollgate } from '../../lib/version.ts'
import type { MetricsDeps } from '../../surfaces/http/routes/metrics/metrics-route.ts'
import type { Config } from '../settings/config.ts'
import type { Engine } from '../wiring/engine.ts'
import { createFigures, type Figures } from './figures.ts'

const MODES = ['live', 'test'] as const
// Nothing waits longer than this for the figures; the next scrape gets them.
const FIGURES_WITHIN_MS = 30_000

type Settings = Pick<Config, 'metricsToken'> & {
  readonly pay: Pick<Config['pay'], 'dailyCeiling'>
  readonly people: Pick<Config['people'], 'welcomeCreditsPerDay'>
}

/** Null when the operator has set no token; then nothing is counted. */
export function openMetrics(
  { metricsToken: token, ...limits }: Settings,
  database: Database,
  engine: Pick<Engine, 'calls' | 'router' | 'browserUse' | 'openBreakers'>,
  now: Clock,
): MetricsDeps | null {
  if (token === null) return null
  const { tally } = engine.calls
  invariant(tally !== undefined, 'calls are counted when a token is set')
  foreseeCalls(tally, engine)
  const figures = createFigures({
    database: { ...database, ...database.withDeadline(FIGURES_WITHIN_MS) },
    now,
  })
  return {
    token,
    tally,
    readings: [
      buildReading(),
      ...ledgerReadings(engine),
      ...capacityReadings(database, engine),
      ...sharedReadings(figures),
      ...limitReadings(limits),
    ],
  }
}

/** Lanes that use the operator's keys or wallet: their errors concern the operator, so each has a series from the start. */
function foreseeCalls(
  tally: CallTally,
  { calls: { catalog, lanes }, router }: Pick<Engine, 'calls' | 'router'>,
): void {
  for (const { id, actions } of catalog.services) {
    const live = Object.keys(actions).map((action) => lanes.statusOf(id, action).live)
    for (const lane of ['vendor', 'wallet'] as const)
      if (live.includes(lane)) tally.foresee('live', id, lane)
  }
  if (router.directory.isConfigured) tally.foresee('live', 'llm', 'vendor')
}

function buildReading(): Reading {
  const version = versionOfTollgate()
  return gauge(
    'tollgate_build_info',
    'Always 1, with the versions of Tollgate and of Node.js.',
    () => [{ labels: { version, node: process.version }, value: 1 }],
    ['version', 'node'],
  )
}

function ledgerReadings({ calls: { ledger } }: Pick<Engine, 'calls'>): readonly Reading[] {
  return [
    counter(
      'tollgate_ledger_flushes_total',
      'Statements in which the ledger wrote holds and their ends.',
      () => ledger.figures().flushes,
    ),
    counter(
      'tollgate_ledger_operations_total',
      'Holds and ends of holds in those statements.',
      () => ledger.figures().operations,
    ),
    counter(
      'tollgate_ledger_lost_connections_total',
      'Ledger connections that broke or stalled while a statement was in progress.',
      () => ledger.figures().lostConnections,
    ),
    counter(
      'tollgate_calls_rejected_total',
      'Calls rejected before they began because the ledger was overloaded.',
      () => ledger.figures().rejectedCalls,
    ),
    gauge(
      'tollgate_ledger_waiting',
      'Holds and ends of holds that wait for a statement, and calls that wait for money.',
      () => {
        const { waitingHolds, waitingResolutions, waitingForMoney } = ledger.figures()
        return [
          { labels: { kind: 'hold' }, value: waitingHolds },
          { labels: { kind: 'end' }, value: waitingResolutions },
          { labels: { kind: 'money' }, value: waitingForMoney },
        ]
      },
      ['kind'],
    ),
  ]
}

function capacityReadings(
  database: Database,
  { browserUse, openBreakers }: Pick<Engine, 'browserUse' | 'openBreakers'>,
): readonly Reading[] {
  return [
    gauge(
      'tollgate_database_connections',
      'Database connections in the pool of this process.',
      () => {
        const { open, idle } = database.poolUse()
        return [
          { labels: { state: 'used' }, value: open - idle },
          { labels: { state: 'idle' }, value: idle },
        ]
      },
      ['state'],
    ),
    gauge('tollgate_database_connections_limit', 'Maximum size of the database pool.', () => [
      { value: database.poolUse().most },
    ]),
    gauge(
      'tollgate_database_connections_waiting',
      'Requests that wait for a connection of the pool.',
      () => [{ value: database.poolUse().waiting }],
    ),
    gauge('tollgate_browser_pages', 'Pages open in the browser.', () => [
      { value: browserUse().taken },
    ]),
    gauge(
      'tollgate_browser_pages_limit',
      'Maximum number of open pages: BROWSER_CONCURRENCY.',
      () => [{ value: browserUse().places }],
    ),
    gauge('tollgate_browser_pages_waiting', 'Requests that wait for a page.', () => [
      { value: browserUse().waiting },
    ]),
    gauge(
      'tollgate_open_breakers',
      'Open circuit breakers: hosts and models of a vendor that failed repeatedly, for all accounts or for some.',
      () => openBreakers().map(({ label, count }) => ({ labels: { vendor: label }, value: count })),
      ['vendor'],
    ),
  ]
}

/** The operator's daily limits and their use. */
function limitReadings({ pay, people }: Omit<Settings, 'metricsToken'>): readonly Reading[] {
  return [
    gauge(
      'tollgate_pay_day_limit_micros',
      'Daily limit (UTC) of payments to merchants in millionths of a dollar: PAY_DAILY_CENTS.',
      () => [{ value: Number(pay.dailyCeiling) }],
    ),
    gauge(
      'tollgate_welcome_credits_day_limit',
      'Daily limit (UTC) of self-registered accounts that receive welcome credit: WELCOME_CREDITS_PER_DAY.',
      () => [{ value: people.welcomeCreditsPerDay }],
    ),
  ]
}

/** Totals over all processes; each process reports the same values. */
function sharedReadings(figures: () => Promise<Figures | null>): readonly Reading[] {
  const shared = (
    name: string,
    help: string,
    samples: (figures: Figures) => readonly Sample[],
    labels: readonly string[] = [],
  ): Reading =>
    gauge(
      name,
      help,
      async () => {
        const read = await figures()
        return read === null ? [] : samples(read)
      },
      labels,
    )
  const byMode =
    (value: (standing: Figures['standing']['live']) => number) =>
    ({ standing }: Figures): readonly Sample[] =>
      MODES.map((mode) => ({ labels: { mode }, value: value(standing[mode]) }))
  return [
    gauge('tollgate_database_up', 'Whether the database answers: 1 or 0.', async () => [
      { value: (await figures()) === null ? 0 : 1 },
    ]),
    shared(
      'tollgate_clock_ahead_of_database_seconds',
      'Seconds by which the time of the processes is ahead of the database clock. Beyond 600 either way, the database clock jumped and is ignored.',
      ({ clockAheadMs }) => [{ value: clockAheadMs / 1000 }],
    ),
    shared(
      'tollgate_open_holds',
      'Calls, jobs and sessions with an open hold.',
      byMode((standing) => standing.open_holds),
      ['mode'],
    ),
    shared(
      'tollgate_held_micros',
      'Sum of the open holds in millionths of a dollar.',
      byMode((standing) => standing.held_micros),
      ['mode'],
    ),
    shared(
      'tollgate_jobs',
      'Jobs that have not ended.',
      ({ standing }) =>
        MODES.flatMap((mode) =>
          (['queued', 'running'] as const).map((status) => ({
            labels: { status, mode },
            value: standing[mode].jobs[status],
          })),
        ),
      ['status', 'mode'],
    ),
    shared(
      'tollgate_oldest_queued_job_seconds',
      'How long the oldest queued job has been waiting; 0 when none waits.',
      byMode((standing) => standing.jobs.oldest_queued_s ?? 0),
      ['mode'],
    ),
    shared(
      'tollgate_open_sessions',
      'Open compute sessions.',
      byMode((standing) => standing.open_sessions),
      ['mode'],
    ),
    shared(
      'tollgate_payments_waiting',
      'Payments with an unknown outcome that need a decision, to merchants and by buyers.',
      ({ outflow, salesWaiting }) => [
        { labels: { of: 'merchants' }, value: outflow.waiting },
        { labels: { of: 'buyers' }, value: salesWaiting },
      ],
      ['of'],
    ),
    shared(
      'tollgate_paid_today_micros',
      'Payments to merchants today (UTC), including those with an unknown outcome, in millionths of a dollar.',
      ({ outflow }) => [{ value: Number(outflow.today) }],
    ),
    shared(
      'tollgate_welcome_credits_today',
      'Self-registered accounts that received welcome credit today (UTC).',
      ({ welcomeCredits }) => [{ value: welcomeCredits }],
    ),
  ]
}

function counter(name: string, help: string, read: () => number): Reading {
  return { name, help, kind: 'counter', read: () => [{ value: read() }] }
}

function gauge(
  name: string,
  help: string,
  read: Reading['read'],
  labels: readonly string[] = [],
): Reading {
  return { name, help, kind: 'gauge', labels, read }
}
