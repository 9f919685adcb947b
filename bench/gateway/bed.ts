/**
 * The test bed of the gateway's benchmarks: PostgreSQL (durable), the stand-in vendor and the load on one core,
 * the server under test on the other, all on loopback, all ended when the run ends.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bundleOf, SERVICES } from '../../bundle.mjs'
import { createAccount } from '../../src/accounts/create-account.ts'
import { connectDatabase, type Database } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { SCHEMA } from '../../src/app/wiring/schema.ts'
import { migrate } from '../../src/db/migrate.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { newId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'

export const SERVER_CORE = '0'
export const OTHER_CORE = '1'
// The same program, flags and environment as run.mjs.
const GATEWAY = (await bundleOf('start')) ?? SERVICES.start
const GATEWAY_FLAGS = [
  '--max-semi-space-size=32',
  '--initial-old-space-size=32',
  '--no-allocation-site-pretenuring',
]
const root = join(import.meta.dirname, '../..')
const GATEWAY_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  TOLLGATE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'tollgate', 'compiled'),
}

export type Server = { readonly port: number; readonly pid: number; stop(): Promise<void> }
export type Bed = {
  readonly database: Database
  readonly vendor: Server
  /** CPU time of the database's processes, in milliseconds. */
  databaseCpuMs(): number
  /** A baseline. The lean one does less than a proxy that people would write. */
  startProxy(kind: 'bare' | 'lean'): Promise<Server>
  startGateway(environment?: Readonly<Record<string, string>>): Promise<Server>
  /** Live keys of fresh accounts with plenty of credit. */
  makeKeys(count: number): Promise<string[]>
  close(): Promise<void>
}

export async function openBed({ vendorMs = 0 } = {}): Promise<Bed> {
  if (spawnSync('taskset', ['-V']).status === 0)
    spawnSync('taskset', ['-pc', OTHER_CORE, String(process.pid)])
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const postgresFolder = join(folder, 'postgres')
  const postgres = await startEmbeddedPostgres({ folder: postgresFolder })
  const database = connectDatabase(postgres.address, { poolSize: 4 })
  await migrate(database, SCHEMA)
  const vendor = await startNode(
    'bench/gateway/stand-in-vendor.ts',
    [String(vendorMs)],
    OTHER_CORE,
    {},
  )
  return {
    database,
    vendor,
    databaseCpuMs: () =>
      cpuMsBelow(
        Number.parseInt(readFileSync(join(postgresFolder, 'data/postmaster.pid'), 'utf8'), 10),
      ),
    startProxy: (kind) =>
      startNode(`bench/gateway/${kind}-proxy.ts`, [String(vendor.port)], SERVER_CORE, {}),
    startGateway: (environment = {}) =>
      startNode(GATEWAY, [], SERVER_CORE, {
        ...GATEWAY_ENVIRONMENT,
        PORT: '0',
        DATA_DIR: folder,
        LOG_LEVEL: 'error',
        RATE_LIMIT_PER_MINUTE: '1000000000',
        UPSTREAM_SEMANTIC_URL: `http://127.0.0.1:${vendor.port}`,
        UPSTREAM_SEMANTIC_KEY: 'bench',
        ...environment,
      }),
    makeKeys: (count) => makeKeys(database, count),
    async close() {
      await vendor.stop()
      await database.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The daily limit of an account for language models must not end a run. */
export async function liftDailyLimits({ query }: Pick<Database, 'query'>): Promise<void> {
  await query(
    'insert into inference_days (wallet_id, day, cap_micros) select id, 0, 1000000000000000 from wallets',
  )
}

async function makeKeys(database: Database, count: number): Promise<string[]> {
  const now = (): number => Date.now()
  const keys: string[] = []
  for (let place = 0; place < count; place += 1) {
    const { account, live } = await createAccount(
      { database, now },
      { email: `${newId(now())}@bench.example`, tier: 'personal' },
    )
    const { rows } = await database.query<{ id: bigint }>(
      "select id from wallets where account_id = $1 and mode = 'live'",
      [account.id.replace('acc_', '')],
    )
    await postCredit(database, {
      id: newId(now()),
      walletId: Number(rows[0]?.id),
      kind: 'grant',
      amount: dollars('1000000'),
      nowMs: now(),
    })
    keys.push(live.key)
  }
  return keys
}

export function startNode(
  script: string,
  args: readonly string[],
  core: string,
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const pinned = spawnSync('taskset', ['-V']).status === 0 ? ['taskset', '-c', core] : []
  const [command = '', ...rest] = [
    ...pinned,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    ...(script === GATEWAY ? GATEWAY_FLAGS : []),
    resolve(root, script),
    ...args,
  ]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  // A bench that fails leaves no server behind, which would disturb the next measurement.
  const end = (): boolean => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('close', () => process.off('exit', end))
  return new Promise((ready, fail) => {
    let said = ''
    child.once('exit', (code) => fail(new Error(`${script} ended with code ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const port = /ready (?:on http:\/\/[\d.]+:)?(\d+)/.exec(said)?.[1]
      if (port === undefined) return
      child.removeAllListeners('exit')
      ready({ port: Number(port), pid: child.pid ?? 0, stop: () => stop(child) })
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

/** Resident memory in MiB, from the kernel. */
export function memoryMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** CPU time of a running process so far, in milliseconds; 0 when it has ended. */
export function cpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks)
      .map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((sum, ms) => sum + ms, 0)
  } catch {
    return 0
  }
}

/** CPU time of a process's children, in milliseconds. The kernel counts that of ended ones in hundredths of a second. */
export function cpuMsBelow(parentPid: number): number {
  const ended = statOf(parentPid).slice(13, 15)
  const living = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(Number(name)) === parentPid,
  )
  return [
    ...ended.map((ticks) => Number(ticks) * 10),
    ...living.map((pid) => cpuMs(Number(pid))),
  ].reduce((sum, ms) => sum + ms, 0)
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

/** The fields of /proc/<pid>/stat from the state on; empty when the process has ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
