/**
 * The cost of the ledger per call: hold and settlement, both on disk before the answer, over one and 1000 wallets.
 * Alternates with the two least commits (`least-commits.ts`).
 * Starts its own PostgreSQL (fsync on) in a temporary folder. Run: npx node bench/ledger.ts [--seconds 2] [--only 64x1]
 * With --keyed, every call claims an idempotency key and stores a response of 500 bytes.
 * With --trees, it only compares trees of three budgets with single ones.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SCHEMA } from '../src/app/wiring/schema.ts'
import { connectDatabase, type Database } from '../src/db/database.ts'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { migrate } from '../src/db/migrate.ts'
import { createLedger, type Ledger } from '../src/ledger/ledger.ts'
import { verifyLedger } from '../src/ledger/verify.ts'
import { DAY_MS, systemClock } from '../src/lib/clock.ts'
import { newId, type Id } from '../src/lib/ids.ts'
import { cents, dollars } from '../src/lib/money.ts'
import { openLeastCommits } from './least-commits.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    keyed: { type: 'boolean', default: false },
    trees: { type: 'boolean', default: false },
  },
})
const RUN_MS = Number(options.seconds) * 1000
const WARM_UP_MS = 500
const IN_FLIGHT = [1, 64, 256]
const WALLETS = [1, 1000]
const DEADLINE_MS = 60_000
// The unit of CPU time in /proc/<pid>/stat on Linux: USER_HZ, always 100.
const MICROSECONDS_PER_TICK = 10_000

const ROW = { url: 'https://example.com/', title: 'An example', score: 0.5 }
const ANSWER = {
  status: 200,
  body: JSON.stringify({ ok: true, data: { rows: Array.from({ length: 7 }, () => ROW) } }),
}

type Payer = {
  readonly walletId: number
  readonly budgetId: Id
  readonly ancestorIds?: readonly Id[]
}

async function openPayers(database: Database, count: number): Promise<Payer[]> {
  const { rows } = await database.query<{ wallet: bigint; budget: Id }>(
    `with account as (insert into accounts (id, email, tier, created_at) select gen_random_uuid(), 'payer-' || place || '-of-${count}@example.com', 'business', now() from generate_series(1, $1) as place returning id),
       wallet as (insert into wallets (account_id, mode) select id, 'live' from account returning id, account_id),
       budget as (insert into budgets (id, ceiling_micros) select account_id, $2 from wallet returning id)
     select wallet.id as wallet, budget.id as budget from wallet join budget on budget.id = account_id`,
    [count, dollars('900000000')],
  )
  for (const { wallet } of rows) {
    await database.query("select ledger_credit($1, $2, $3, 'topup', 'payments', $4, null, null)", [
      systemClock(),
      newId(systemClock()),
      wallet,
      dollars('1000000000'),
    ])
  }
  return rows.map(({ wallet, budget }) => ({ walletId: Number(wallet), budgetId: budget }))
}

/** Puts two budgets above the budget of each payer. */
async function addParents(database: Database, payers: readonly Payer[]): Promise<Payer[]> {
  const trees = payers.map((payer) => ({
    ...payer,
    ancestorIds: [newId(systemClock()), newId(systemClock())] as const,
  }))
  for (const {
    budgetId,
    ancestorIds: [top, middle],
  } of trees) {
    await database.query(
      'insert into budgets (id, parent_id, ancestors, ceiling_micros) values ($1, null, $2, $5), ($3, $1, $4, $5)',
      [top, [], middle, [top], dollars('900000000')],
    )
    await database.query('update budgets set parent_id = $2, ancestors = $3 where id = $1', [
      budgetId,
      middle,
      [top, middle],
    ])
  }
  return trees
}

async function oneCall(
  ledger: Ledger,
  { walletId, budgetId, ancestorIds = [] }: Payer,
): Promise<void> {
  const nowMs = systemClock()
  const id = newId(nowMs)
  const hold = await ledger.hold({
    id,
    walletId,
    budgetId,
    ancestorIds,
    amount: cents('2'),
    deadlineMs: nowMs + DEADLINE_MS,
    kind: 'call',
    service: 'scraping',
    action: 'scrape',
    externalId: null,
    claim: options.keyed
      ? {
          accountId: budgetId,
          route: 'run/scraping/scrape',
          idempotencyKey: `key of ${id}`,
          fingerprint: 'ab'.repeat(32),
          expiresMs: nowMs + DAY_MS,
        }
      : null,
  })
  if (!hold.opened) return
  await ledger.resolve({
    hold,
    charge: cents('1'),
    latencyMs: 12,
    errorCode: null,
    hops: null,
    answer: options.keyed ? ANSWER : null,
  })
}

/** CPU time that a process has used, in microseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}

async function runCalls(
  ledger: Ledger,
  payers: readonly Payer[],
  inFlight: number,
  durationMs: number,
): Promise<number[]> {
  const latenciesMs: number[] = []
  const until = performance.now() + durationMs
  let next = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const from = performance.now()
      next += 1
      await oneCall(ledger, payers[next % payers.length] as Payer)
      latenciesMs.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return latenciesMs
}

async function measure(
  database: Database,
  ledger: Ledger,
  payers: readonly Payer[],
  inFlight: number,
): Promise<void> {
  await runCalls(ledger, payers, inFlight, WARM_UP_MS)
  const { rows } = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'tollgate ledger' and datname = current_database()",
  )
  const backend = rows[0]?.pid ?? 0
  const cpuFrom = process.cpuUsage()
  const backendFrom = cpuOf(backend)
  const from = performance.now()
  const latenciesMs = (await runCalls(ledger, payers, inFlight, RUN_MS)).sort((a, b) => a - b)
  const calls = latenciesMs.length
  const perSecond = (calls / (performance.now() - from)) * 1000
  const client = process.cpuUsage(cpuFrom)
  const columns = [
    String(inFlight).padStart(9),
    String(payers.length).padStart(7),
    perSecond.toFixed(0).padStart(8),
    (latenciesMs[calls >> 1] ?? 0).toFixed(2).padStart(10),
    (latenciesMs[Math.floor(calls * 0.99)] ?? 0).toFixed(2).padStart(8),
    ((client.user + client.system) / calls).toFixed(1).padStart(13),
    ((cpuOf(backend) - backendFrom) / calls).toFixed(1).padStart(14),
  ]
  process.stdout.write(`${columns.join('  ')}\n`)
}

const ROUNDS = 5

/** The calls per second in trees of three budgets, relative to single budgets, in alternating rounds. */
async function compareTrees(database: Database, ledger: Ledger): Promise<void> {
  const flat = await openPayers(database, 1)
  const deep = (await addParents(database, await openPayers(database, 2))).slice(0, 1)
  for (const inFlight of IN_FLIGHT) {
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const flatCount = (await runCalls(ledger, flat, inFlight, RUN_MS / ROUNDS)).length
      const deepCount = (await runCalls(ledger, deep, inFlight, RUN_MS / ROUNDS)).length
      ratios.push(deepCount / flatCount)
    }
    const median = ratios.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0
    process.stdout.write(
      `${inFlight} in flight: ${median.toFixed(2)} of the calls per second without a tree\n`,
    )
  }
}

/** The medians of one call at a time through the ledger, and of the two least commits, in milliseconds. */
async function compareWithLeast(
  database: Database,
  ledger: Ledger,
  payers: readonly Payer[],
): Promise<void> {
  const commits = await openLeastCommits(database)
  const medianOf = (latenciesMs: number[]): number =>
    latenciesMs.sort((a, b) => a - b)[latenciesMs.length >> 1] ?? 0
  const rounds: { least: number; ledger: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      least: medianOf(await commits.measure(RUN_MS / ROUNDS)),
      ledger: medianOf(await runCalls(ledger, payers, 1, RUN_MS / ROUNDS)),
    })
  }
  await commits.end()
  const [least, whole] = [
    medianOf(rounds.map((round) => round.least)),
    medianOf(rounds.map((round) => round.ledger)),
  ]
  process.stdout.write(
    `two least commits ${least.toFixed(2)} ms, hold and settlement ${whole.toFixed(2)} ms: ${(whole / least).toFixed(2)} times as long\n`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
const server = await startEmbeddedPostgres({ folder })
try {
  const database = connectDatabase(server.address, { poolSize: 2 })
  await migrate(database, SCHEMA)
  const ledger = createLedger({ database, now: systemClock, topupUrl: '', pause: async () => {} })
  if (options.trees) await compareTrees(database, ledger)
  else
    process.stdout.write(
      'in flight  wallets   calls/s  median ms   p99 ms  client µs/call  backend µs/call\n',
    )
  for (const wallets of options.trees ? [] : WALLETS) {
    const payers = await openPayers(database, wallets)
    for (const inFlight of IN_FLIGHT) {
      if (options.only === undefined || options.only === `${inFlight}x${wallets}`)
        await measure(database, ledger, payers, inFlight)
    }
    if (wallets === 1 && (options.only === undefined || options.only === '1x1'))
      await compareWithLeast(database, ledger, payers)
  }
  const { ok, findings } = await verifyLedger(database)
  process.stdout.write(ok ? 'the books balance\n' : `${JSON.stringify(findings, null, 2)}\n`)
  process.exitCode = ok ? 0 : 1
  await ledger.close()
  await database.close()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
