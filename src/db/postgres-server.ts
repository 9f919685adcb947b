/** PostgreSQL as a process: how its folder is made, how it is started, and how it ends. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../errors/start-error.ts'
import { serverLog } from './server-log.ts'
import { startAdvice } from './start-advice.ts'

export type ServerSettings = {
  /** Folder of its programs. */
  readonly binaries: string
  /** Folder of the database. */
  readonly data: string
  readonly socketFolder: string
  readonly logPath: string
  /** Only for throw-away test databases: a power cut may lose commits. */
  readonly unsafeFast: boolean
}

export const POSTGRES_USER = 'tollgate'
export const POSTGRES_START_TIMEOUT_MS = 60_000
const READY = 'database system is ready to accept connections'
const LONGEST_KEPT_LOG = 20_000

// PostgreSQL refuses to run as root. In a user namespace of its own it sees itself as an ordinary user, while its
// files stay root's: nothing is chowned and a checkout under a private home folder works. User 1 exists everywhere.
export function commandLine(binary: string, args: string[]): [string, string[]] {
  const bound =
    spawnSync('setpriv', ['--version']).status === 0
      ? ['setpriv', '--pdeathsig', 'INT', '--', binary, ...args]
      : [binary, ...args]
  const line =
    process.getuid?.() === 0
      ? ['unshare', '--user', '--map-user=1', '--map-group=1', '--', ...bound]
      : bound
  return [line[0] ?? binary, line.slice(1)]
}

// Made beside its place and moved there when complete: a start that was broken off leaves no half of a database, and
// of two processes that start at once neither disturbs the other.
export function initialisePostgres(binaries: string, data: string): void {
  const draft = `${data}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const [command, args] = commandLine(join(binaries, 'initdb'), [
    '-D',
    draft,
    '-U',
    POSTGRES_USER,
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth-local=trust',
    '--auth-host=reject',
  ])
  const result = spawnSync(command, args, { encoding: 'utf8', env: environmentOfServer() })
  try {
    const said = (result.stderr || result.error?.message || '').trim()
    if (result.status !== 0)
      throw new StartError(
        `PostgreSQL could not set up its folder ${data}: ${said}\n${startAdvice(said)}`,
      )
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
    ...(unsafeFast
      ? {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          shared_buffers: '64MB',
          max_connections: '500',
        }
      : {}),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

// What a statement needed the next one needs again. Left alone, the C library gives the memory at the top of its heap back
// after every flush and asks for it in the next: a seventh of the time of the ledger's connection. In bytes.
const KEEP_FREED_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: '16777216',
  MALLOC_TOP_PAD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '4194304',
}

// Our own environment has the keys of vendors and wallets. It would lie open in every process of the server, as long as it runs.
function environmentOfServer(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, TZ } = process.env
  return { PATH, LD_LIBRARY_PATH, TZ }
}

/** Resolves when it takes connections. Rejects with StartError, which holds its last words and what to do. */
export async function launchPostgres({
  binaries,
  data,
  socketFolder,
  logPath,
  unsafeFast,
}: ServerSettings): Promise<ChildProcess> {
  const [command, args] = commandLine(join(binaries, 'postgres'), [
    '-D',
    data,
    ...settingsLine(socketFolder, unsafeFast),
  ])
  const server = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environmentOfServer(), ...KEEP_FREED_MEMORY },
  })
  server.stderr?.on('data', serverLog(logPath))
  await new Promise<void>((ready, reject) => {
    let said = ''
    const timer = setTimeout(
      () => fail('it did not become ready within a minute'),
      POSTGRES_START_TIMEOUT_MS,
    )
    const fail = (reason: string): void => {
      clearTimeout(timer)
      server.kill('SIGKILL')
      reject(
        new StartError(
          `PostgreSQL did not start: ${reason}. Its log is ${logPath}.\n${lastWords(said)}\n${startAdvice(said)}`,
        ),
      )
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

// The reason, with what is said of it before and after. Behind that it says, line by line, that its other processes end.
function lastWords(said: string): string {
  const lines = said.trim().split('\n')
  const reason = lines.findLastIndex((line) => / (FATAL|PANIC): /.test(line))
  return (reason === -1 ? lines.slice(-3) : lines.slice(Math.max(0, reason - 1), reason + 3)).join(
    '\n',
  )
}

// Fast shutdown ends the sessions and keeps everything committed. PostgreSQL 18 does not finish one that is asked for
// while it recovers from a crash; the harsher ways keep what was committed too, and recover at the next start.
const WAYS_TO_STOP = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const

export async function stopPostgres(server: ChildProcess, patienceMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit').then(() => true)
  for (const signal of WAYS_TO_STOP) {
    server.kill(signal)
    if (await Promise.race([exited, pause(patienceMs, false, { ref: false })])) return
  }
  await exited
}
