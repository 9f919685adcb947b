/** What GET /metrics tells beside the calls: the product itself, this process, and what all processes share. */
import type { Database } from '../../db/database.ts'
import { invariant } from '../../errors/app-error.ts'
import type { CallTally } from '../../lib/metrics/call-tally.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Reading, Sample } from '../../lib/reading.ts'
import { versionOfTollgate } from '../../lib/version.ts'
import type { MetricsParts } from '../../surfaces/http/routes/metrics/metrics-route.ts'
import type { Config } from '../settings/config.ts'
import type { Engine } from '../wiring/engine.ts'
import { createFigures, type Figures } from './figures.ts'

const MODES = ['live', 'test'] as const
// Nobody waits for them for so long; the next reader has them.
const FIGURES_WITHIN_MS = 30_000

type Settings = Pick<Config, 'metricsToken'> & {
  readonly pay: Pick<Config['pay'], 'dailyCeiling'>
  readonly people: Pick<Config['people'], 'welcomeCreditsPerDay'>
}

/** Null: the operator has set no token, and nothing is counted. */
export function openMetrics(
  { metricsToken: token, ...limits }: Settings,
  database: Database,
  engine: Pick<Engine, 'calls' | 'router' | 'browserUse' | 'openBreakers'>,
  now: Clock,
): MetricsParts | null {
  if (token === null) return null
  const { tally } = engine.calls
  invariant(tally !== undefined, 'where there is a token, calls are counted')
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
      ...roomReadings(database, engine),
      ...sharedReadings(figures),
      ...limitReadings(limits),
    ],
  }
}

/** Of the ways that lead to vendors with the operator's keys and to merchants: what goes wrong there is the operator's to hear, also of the first call. */
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
      'Statements with which the ledger wrote down holds and their ends.',
      () => ledger.figures().flushes,
    ),
    counter(
      'tollgate_ledger_operations_total',
      'Holds and ends of holds in those statements.',
      () => ledger.figures().operations,
    ),
    counter(
      'tollgate_ledger_lost_connections_total',
      'Connections of the ledger that broke, or fell silent, with a statement under way.',
      () => ledger.figures().lostConnections,
    ),
    counter(
      'tollgate_calls_rejected_total',
      'Calls that were rejected before they began, because calls had waited too long for the ledger.',
      () => ledger.figures().rejectedCalls,
    ),
    gauge(
      'tollgate_ledger_waiting',
      'Holds and ends of holds that wait for a statement.',
      () => {
        const { waitingHolds, waitingResolutions } = ledger.figures()
        return [
          { labels: { kind: 'hold' }, value: waitingHolds },
          { labels: { kind: 'end' }, value: waitingResolutions },
        ]
      },
      ['kind'],
    ),
  ]
}

function roomReadings(
  database: Database,
  { browserUse, openBreakers }: Pick<Engine, 'browserUse' | 'openBreakers'>,
): readonly Reading[] {
  return [
    gauge(
      'tollgate_database_connections',
      'Connections of the pool of this process.',
      () => {
        const { open, idle } = database.poolUse()
        return [
          { labels: { state: 'used' }, value: open - idle },
          { labels: { state: 'idle' }, value: idle },
        ]
      },
      ['state'],
    ),
    gauge(
      'tollgate_database_connections_limit',
      'The most connections that the pool opens.',
      () => [{ value: database.poolUse().most }],
    ),
    gauge(
      'tollgate_database_connections_waiting',
      'Who waits for a connection of the pool.',
      () => [{ value: database.poolUse().waiting }],
    ),
    gauge('tollgate_browser_pages', 'Pages that are open in the browser.', () => [
      { value: browserUse().taken },
    ]),
    gauge(
      'tollgate_browser_pages_limit',
      'The most pages that are open at once: BROWSER_CONCURRENCY.',
      () => [{ value: browserUse().places }],
    ),
    gauge('tollgate_browser_pages_waiting', 'Who waits for a page.', () => [
      { value: browserUse().waiting },
    ]),
    gauge(
      'tollgate_open_breakers',
      'Hosts and models of a vendor that failed again and again, and are left alone, by all or by the accounts whose calls failed, until a call is answered.',
      () => openBreakers().map(({ label, count }) => ({ labels: { vendor: label }, value: count })),
      ['vendor'],
    ),
  ]
}

/** What the operator has set for a day, beside what is used up of it. */
function limitReadings({ pay, people }: Omit<Settings, 'metricsToken'>): readonly Reading[] {
  return [
    gauge(
      'tollgate_pay_day_limit_micros',
      'The most that merchants are paid in a day (UTC), in millionths of a dollar: PAY_DAILY_CENTS.',
      () => [{ value: Number(pay.dailyCeiling) }],
    ),
    gauge(
      'tollgate_welcome_credits_day_limit',
      'How many accounts that strangers make are given welcome credit in a day (UTC): WELCOME_CREDITS_PER_DAY.',
      () => [{ value: people.welcomeCreditsPerDay }],
    ),
  ]
}

/** Of all processes, and the same in each that is asked. */
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
      'By how much the time of the processes is ahead of the clock of the database. Above 600 either way, that clock jumped and is not followed.',
      ({ clockAheadMs }) => [{ value: clockAheadMs / 1000 }],
    ),
    shared(
      'tollgate_open_holds',
      'Calls, jobs and sessions that money is held for.',
      byMode((standing) => standing.open_holds),
      ['mode'],
    ),
    shared(
      'tollgate_held_micros',
      'What is held for them, in millionths of a dollar.',
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
      'How long the oldest job waits for a worker; 0 when none does.',
      byMode((standing) => standing.jobs.oldest_queued_s ?? 0),
      ['mode'],
    ),
    shared(
      'tollgate_open_sessions',
      'Compute sessions that are open.',
      byMode((standing) => standing.open_sessions),
      ['mode'],
    ),
    shared(
      'tollgate_payments_waiting',
      'Payments of unknown outcome that wait for a decision, to merchants and of buyers.',
      ({ outflow, salesWaiting }) => [
        { labels: { of: 'merchants' }, value: outflow.waiting },
        { labels: { of: 'buyers' }, value: salesWaiting },
      ],
      ['of'],
    ),
    shared(
      'tollgate_paid_today_micros',
      'What merchants were paid today (UTC), or may have been, in millionths of a dollar.',
      ({ outflow }) => [{ value: Number(outflow.today) }],
    ),
    shared(
      'tollgate_welcome_credits_today',
      'Accounts that strangers made and that were given welcome credit today (UTC).',
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
