/**
 * The instructions that PostgreSQL executes per call, which other load on the machine does not change. Runs the ledger's
 * statements in PostgreSQL's single-user mode under Valgrind. Reading the parameters and the commit's wait are not included.
 * Needs Valgrind. Run: npx node bench/instructions.ts [--only hot]
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAccount } from '../src/accounts/create-account.ts'
import { SCHEMA } from '../src/app/wiring/schema.ts'
import { connectDatabase } from '../src/db/database.ts'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { migrate } from '../src/db/migrate.ts'
import { locateBinaries } from '../src/db/postgres-binaries.ts'
import { buildCommandLine } from '../src/db/postgres-server.ts'
import { postCredit } from '../src/ledger/credit.ts'
import { PLANNER_SETTINGS } from '../src/ledger/flush-connection.ts'
import { flushOneByOne, isForOneByOne } from '../src/ledger/flush-one-by-one.ts'
import type { FlushStatement } from '../src/ledger/flush-statement.ts'
import { flushTogether } from '../src/ledger/flush-together.ts'
import type { HoldRequest, Resolution } from '../src/ledger/hold.ts'
import { DAY_MS, systemClock } from '../src/lib/clock.ts'
import { newId, type Id } from '../src/lib/ids.ts'
import { cents, dollars } from '../src/lib/money.ts'
import { readArray } from './gateway/read-array.ts'

type Payer = { readonly walletId: number; readonly budgetId: Id; readonly accountId: Id }
type Scenario = {
  readonly name: string
  /** Calls per flush. A flush of one is a hold, and then another of its settlement. */
  readonly size: number
  readonly payers: number
  readonly isKeyed: boolean
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'one call at a time', size: 1, payers: 1, isKeyed: false },
  { name: 'hot account, 32 calls a flush', size: 32, payers: 1, isKeyed: false },
  { name: '100 accounts, 32 calls a flush', size: 32, payers: 100, isKeyed: false },
  { name: 'with Idempotency-Key, 32 calls a flush', size: 32, payers: 1, isKeyed: true },
]
// The difference of two runs leaves out the start of the server and the first use of each statement.
const [FEW, MANY] = [20, 60]
const ANSWER = { status: 200, body: JSON.stringify({ ok: true, data: 'x'.repeat(350) }) }

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
try {
  const payers = await openPayers(Math.max(...SCENARIOS.map((scenario) => scenario.payers)))
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(options.only))) {
    const [few, many] = [FEW, MANY].map((flushes) =>
      countInstructions(flushesOf(scenario, payers.slice(0, scenario.payers), flushes)),
    )
    const perCall = ((many ?? 0) - (few ?? 0)) / (MANY - FEW) / scenario.size
    process.stdout.write(`${scenario.name}: ${Math.round(perCall / 1000)} thousand a call\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function openPayers(count: number): Promise<Payer[]> {
  const server = await startEmbeddedPostgres({ folder })
  const database = connectDatabase(server.address, { poolSize: 1 })
  try {
    await migrate(database, SCHEMA)
    const payers: Payer[] = []
    while (payers.length < count) payers.push(await openPayer(database))
    await database.query('vacuum analyze')
    return payers
  } finally {
    await database.close()
    await server.stop()
  }
}

async function openPayer(database: ReturnType<typeof connectDatabase>): Promise<Payer> {
  const now = systemClock
  const email = `${newId(now())}@bench.example`
  const { account } = await createAccount({ database, now }, { email, tier: 'personal' })
  const accountId = account.id.replace('acc_', '')
  const { rows } = await database.query<{ wallet_id: bigint; key_id: Id }>(
    "select wallets.id as wallet_id, keys.id as key_id from wallets join keys using (account_id, mode) where account_id = $1 and mode = 'live'",
    [accountId],
  )
  const walletId = Number(rows[0]?.wallet_id)
  const amount = dollars('1000000')
  await postCredit(database, { id: newId(now()), walletId, kind: 'grant', amount, nowMs: now() })
  return { walletId, budgetId: rows[0]?.key_id ?? '', accountId }
}

/** Each flush opens the next calls and settles those of the flush before. A process marks a wallet as uncounted once in 30 s, which is left out. */
function flushesOf(
  { size, isKeyed }: Scenario,
  payers: readonly Payer[],
  count: number,
): FlushStatement[] {
  let next = 0
  let before: HoldRequest[] = []
  return Array.from({ length: count }).flatMap(() => {
    const nowMs = systemClock()
    const holds = Array.from({ length: size }, () =>
      holdOf(payers[next++ % payers.length] as Payer, nowMs, isKeyed),
    )
    const settled = size === 1 ? holds : before
    before = holds
    const resolutions = settled.map((hold) => resolutionOf(hold))
    const facts = { nowMs, uncounted: [] }
    if (size > 1) return [flushTogether({ ...facts, holds, resolutions }, 'durable')]
    const [opening, ending] = [
      { ...facts, holds, resolutions: [] },
      { ...facts, holds: [], resolutions },
    ]
    return [opening, ending].map((batch) =>
      isForOneByOne(batch) ? flushOneByOne(batch, 'durable') : flushTogether(batch, 'durable'),
    )
  })
}

function holdOf({ accountId, ...payer }: Payer, nowMs: number, isKeyed: boolean): HoldRequest {
  const id = newId(nowMs)
  return {
    ...payer,
    id,
    amount: cents('2'),
    deadlineMs: nowMs + 60_000,
    kind: 'call',
    service: 'semantic',
    action: 'search',
    externalId: null,
    claim: isKeyed
      ? {
          accountId,
          route: 'run/semantic/search',
          idempotencyKey: `key of ${id}`,
          fingerprint: 'ab'.repeat(32),
          expiresMs: nowMs + DAY_MS,
        }
      : null,
  }
}

function resolutionOf(hold: HoldRequest): Resolution {
  return {
    hold,
    charge: cents('1'),
    latencyMs: 12,
    errorCode: null,
    hops: null,
    ...(hold.claim === null ? {} : { answer: ANSWER }),
  }
}

/** Runs the statements on a copy of the database. Counts only what executes prepared statements. */
function countInstructions(statements: readonly FlushStatement[]): number {
  const binaries = locateBinaries()
  const copy = join(folder, 'copy')
  const counts = join(folder, 'counts')
  cpSync(join(folder, 'data'), copy, { recursive: true })
  chmodSync(copy, 0o700)
  const script = join(folder, 'script.sql')
  writeFileSync(script, scriptOf(statements))
  const settings = { ...PLANNER_SETTINGS, fsync: 'off', autovacuum: 'off', jit: 'off' }
  const [command, args] = buildCommandLine('valgrind', [
    '--tool=callgrind',
    '--toggle-collect=PortalRunSelect',
    `--callgrind-out-file=${counts}`,
    join(binaries, 'postgres'),
    '--single',
    '-D',
    copy,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    'postgres',
  ])
  const { status, stdout, stderr } = spawnSync(command, args, {
    input: readFileSync(script),
    encoding: 'utf8',
  })
  rmSync(copy, { recursive: true })
  const failed = status !== 0 || stderr.includes('ERROR')
  if (failed)
    throw new Error(`PostgreSQL failed under Valgrind: ${stderr.slice(-600)}${stdout.slice(-200)}`)
  return Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(counts, 'utf8'))?.[1])
}

/** The single-user mode reads one statement a line and has no parameters in binary format. */
function scriptOf(statements: readonly FlushStatement[]): string {
  const prepared = new Set<string>()
  const lines = statements.flatMap(({ name, text, values }) => {
    const execution = `execute ${name}(${values.map(toLiteral).join(', ')});`
    if (prepared.has(name)) return [execution]
    prepared.add(name)
    return [`prepare ${name} as ${text.replaceAll(/\s+/g, ' ')};`, execution]
  })
  return `${lines.join('\n')}\n`
}

function toLiteral(value: string | number | Buffer | null): string {
  if (value === null) return 'null'
  const text = Buffer.isBuffer(value) ? readArray(value) : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
