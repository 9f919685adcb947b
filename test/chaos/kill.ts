import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectDatabase, type Database } from '../../src/db/database.ts'
import {
  startEmbeddedPostgres,
  type DatabaseAddress,
  type EmbeddedPostgres,
} from '../../src/db/embedded-postgres.ts'
import { SCHEMA } from '../../src/app/wiring/schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { BrokenInvariant, invariant } from '../../src/errors/app-error.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { verifyLedger, type Finding } from '../../src/ledger/verify.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { Id } from '../../src/lib/ids.ts'
import { accountsOf, START_MS, type Accounts } from '../harness/beds/accounts.ts'
import { manualClock } from '../harness/manual-clock.ts'
import { startAgain } from '../harness/beds/start-again.ts'
import { createJournal, type Journal } from './journal.ts'
import { POINTS, type Point, type Shift } from './teller.ts'

export type KillReport = {
  readonly kills: number
  readonly databaseKills: number
  readonly calls: Journal['counts']
  /** Holds that the final sweep released. */
  readonly swept: number
  /** Acknowledged holds that were gone after PostgreSQL was killed, before their calls were answered. */
  readonly lost: number
  readonly heldAfterwards: bigint
  readonly broken: readonly string[]
  readonly findings: readonly Finding[]
}

const TELLERS_AT_ONCE = 2
const TELLER = join(import.meta.dirname, 'teller.ts')
const MOST_LINES = 400
const RESTART_MS = 120_000
const HOLD_LIVES_MS = 60_000
// Later shifts live later, so that they sweep, among their own calls, what earlier ones left.
const SHIFT_MS = 10_000

/** Kills gateway processes at each named point and at random moments, and sometimes PostgreSQL. */
export async function killAndCompare(kills: number, databaseKills: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'))
  let server = await startEmbeddedPostgres({ folder })
  const journal = createJournal()
  try {
    const [walletIds, budgetIds] = await withDatabase(server.address, async (database) => {
      await migrate(database, SCHEMA)
      return openAccounts(accountsOf(database, manualClock(START_MS)))
    })
    const shiftOf = (kill: number): Shift => ({
      target: server.address,
      nowMs: START_MS + kill * SHIFT_MS,
      holdLivesMs: HOLD_LIVES_MS,
      walletIds,
      budgetIds,
      stopAt: pointOf(kill),
    })
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < kills) await killOneTeller(shiftOf((next += 1)), journal)
    }
    await Promise.all(Array.from({ length: TELLERS_AT_ONCE }, lane))
    for (let kill = 0; kill < databaseKills; kill += 1) {
      server = await killDatabase(
        folder,
        server,
        { ...shiftOf(kills), stopAt: null },
        journal,
        kill % 2 === 0 ? 'server' : 'backend',
      )
    }
    const facts = await withDatabase(server.address, (database) =>
      examine(database, journal, START_MS + kills * SHIFT_MS + HOLD_LIVES_MS + 1),
    )
    return { kills, databaseKills, calls: journal.counts, ...facts }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withDatabase<Result>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = connectDatabase(address, { poolSize: 1 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Compares before and after the sweep that comes when every hold's deadline has passed. */
async function examine(
  database: Database,
  journal: Journal,
  nowMs: number,
): Promise<Pick<KillReport, 'swept' | 'lost' | 'heldAfterwards' | 'broken' | 'findings'>> {
  const before = await journal.compare(database)
  const ledger = createLedger({ database, now: () => nowMs, topupUrl: '', pause: async () => {} })
  const swept = await ledger.sweep()
  await ledger.close()
  const { rows } = await database.query<{ held: bigint }>(
    'select (select sum(held_micros) from wallets)::bigint + (select sum(day_held + week_held + month_held) from budgets)::bigint as held',
  )
  const after = await journal.compare(database)
  return {
    swept,
    lost: after.lost,
    heldAfterwards: rows[0]?.held ?? -1n,
    broken: [...before.broken, ...after.broken],
    findings: (await verifyLedger(database)).findings,
  }
}

async function openAccounts(accounts: Accounts): Promise<[number[], Id[]]> {
  const walletIds: number[] = []
  const budgetIds: Id[] = []
  for (let place = 0; place < 3; place += 1) {
    walletIds.push(await accounts.openWallet(1_000_000_000n))
    budgetIds.push(await accounts.openBudget({ ceiling: 1_000_000_000n }))
  }
  return [walletIds, budgetIds]
}

function pointOf(kill: number): Point | null {
  return kill % 2 === 0 ? null : (POINTS[((kill - 1) / 2) % POINTS.length] as Point)
}

/** Kills the teller when it is frozen at its point, or after a random number of lines. */
async function killOneTeller(shift: Shift, journal: Journal): Promise<void> {
  const teller = spawnTeller(shift)
  const mostLines = shift.stopAt === null ? randomInt(1, MOST_LINES) : Number.POSITIVE_INFINITY
  let lines = 0
  for await (const line of createInterface({ input: teller.stdout })) {
    journal.note(line)
    lines += 1
    if (line.startsWith('frozen') || lines >= mostLines) teller.kill('SIGKILL')
  }
}

/** SIGKILL of PostgreSQL's first process, or of the one that serves the ledger, while a teller works. */
async function killDatabase(
  folder: string,
  server: EmbeddedPostgres,
  shift: Shift,
  journal: Journal,
  victim: 'server' | 'backend',
): Promise<EmbeddedPostgres> {
  const teller = spawnTeller(shift)
  const lines = createInterface({ input: teller.stdout }).on('line', (line) => journal.note(line))
  await linesFrom(lines, randomInt(20, MOST_LINES))
  const running = await withDatabase(server.address, async (database) => {
    const checkpointer = await processOf(database, CHECKPOINTER)
    const killed =
      victim === 'server' ? serverProcess(folder) : await processOf(database, LEDGER_BACKEND)
    const fromMs = systemClock()
    process.kill(killed, 'SIGKILL')
    const after = victim === 'server' ? await startAgain(folder) : server
    await startedAnew(database, checkpointer)
    journal.noteOutage({ fromMs, untilMs: systemClock() })
    return after
  })
  await linesFrom(lines, 20)
  const closed = once(lines, 'close')
  teller.kill('SIGKILL')
  await closed
  return running
}

function spawnTeller(shift: Shift): ReturnType<typeof spawn> & { stdout: NodeJS.ReadableStream } {
  return spawn(process.execPath, [TELLER, JSON.stringify(shift)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function linesFrom(lines: NodeJS.EventEmitter, count: number): Promise<void> {
  return new Promise((done, fail) => {
    lines.once('close', () => fail(new BrokenInvariant('a teller works until it is killed')))
    let seen = 0
    const see = (): void => {
      seen += 1
      if (seen < count) return
      lines.off('line', see)
      done()
    }
    lines.on('line', see)
  })
}

function serverProcess(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
}

const CHECKPOINTER = "select pid from pg_stat_activity where backend_type = 'checkpointer'"
const LEDGER_BACKEND =
  "select pid from pg_stat_activity where application_name = 'tollgate ledger' limit 1"

async function processOf(database: Database, question: string): Promise<number> {
  const { rows } = await database.query<{ pid: number }>(question)
  invariant(rows[0] !== undefined, 'PostgreSQL shows its processes')
  return rows[0].pid
}

/** After a crash PostgreSQL restarts all its processes; until then it may still answer normally. */
async function startedAnew(database: Database, formerCheckpointer: number): Promise<void> {
  const until = performance.now() + RESTART_MS
  for (;;) {
    const checkpointer = await processOf(database, CHECKPOINTER).catch(() => formerCheckpointer)
    if (checkpointer !== formerCheckpointer) return
    invariant(performance.now() < until, 'a crashed PostgreSQL comes back')
  }
}
