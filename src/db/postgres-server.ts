/** Creates the data folder of a PostgreSQL process, and starts and stops it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../errors/start-error.ts'
import { createServerLog } from './server-log.ts'
import { findStartAdvice } from './start-advice.ts'

export type ServerSettings = {
  /** Folder of its programs. */
  readonly binaries: string
  /** Folder of the database. */
  readonly data: string
  readonly socketFolder: string
  readonly logPath: string
  /** Only for temporary test databases: a power failure can lose commits. */
  readonly unsafeFast: boolean
}

/** Another server has the data folder, or processes of an ended one still use its memory. */
export class FolderInUseError extends StartError {}
const IN_USE = /FATAL: +(lock file ".*" (already exists|is empty)|pre-existing shared memory block)/

export const POSTGRES_USER = 'tollgate'
export const POSTGRES_START_TIMEOUT_MS = 60_000
const READY = 'database system is ready to accept connections'
const LONGEST_LOG = 20_000

// PostgreSQL refuses to run as root. In a separate user namespace it is an ordinary user, while its
// files belong to root: no chown is necessary, and a private home folder works. User 1 exists
// everywhere.
export function buildCommandLine(binary: string, args: string[]): [string, string[]] {
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

// Created in a temporary folder and moved when complete. An interrupted start leaves no partial
// database, and two processes that start at the same time do not disturb each other.
export function initialisePostgres(binaries: string, data: string): void {
  const draft = `${data}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const [command, args] = buildCommandLine(join(binaries, 'initdb'), [
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
  const result = spawnSync(command, args, { encoding: 'utf8', env: serverEnvironment() })
  try {
    const output = (result.stderr || result.error?.message || '').trim()
    if (result.status !== 0)
      throw new StartError(
        `PostgreSQL could not set up its folder ${data}: ${output}\n${findStartAdvice(output)}`,
      )
    renameSync(draft, data)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

function serverArguments(socketFolder: string, unsafeFast: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '256MB',
    synchronous_commit: 'on',
    // Holds do not wait for the disk. A crash loses at most holds of the last three intervals.
    wal_writer_delay: '20ms',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    autovacuum_naptime: '15s',
    jit: 'off',
    log_min_messages: 'warning',
    // Many test processes share one server.
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

// In bytes. By default the C library returns the top of its heap after every flush and requests it
// again for the next one. That took a seventh of the time of the ledger's connection.
const KEEP_FREED_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: '16777216',
  MALLOC_TOP_PAD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '4194304',
}

// The gateway's environment contains keys of vendors and wallets. Each server process would expose
// it.
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, TZ } = process.env
  return { PATH, LD_LIBRARY_PATH, TZ }
}

/**
 * Resolves when the server accepts connections. Rejects with StartError: the server's last lines
 * and advice.
 */
export async function launchPostgres({
  binaries,
  data,
  socketFolder,
  logPath,
  unsafeFast,
}: ServerSettings): Promise<ChildProcess> {
  const [command, args] = buildCommandLine(join(binaries, 'postgres'), [
    '-D',
    data,
    ...serverArguments(socketFolder, unsafeFast),
  ])
  const server = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...serverEnvironment(), ...KEEP_FREED_MEMORY },
  })
  server.stderr?.on('data', createServerLog(logPath))
  await new Promise<void>((ready, reject) => {
    let output = ''
    const timer = setTimeout(
      () => fail('it did not become ready within a minute'),
      POSTGRES_START_TIMEOUT_MS,
    )
    const fail = (reason: string): void => {
      clearTimeout(timer)
      server.kill('SIGKILL')
      const ErrorType = IN_USE.test(output) ? FolderInUseError : StartError
      reject(
        new ErrorType(
          `PostgreSQL did not start: ${reason}. Its log is ${logPath}.\n${lastLines(output)}\n${findStartAdvice(output)}`,
        ),
      )
    }
    server.once('error', (error) => fail(error.message))
    server.once('exit', (code) => fail(`it ended with code ${code}`))
    const listen = (chunk: Buffer): void => {
      // Clients that connect during recovery fill its log, so the awaited line can come after many
      // others.
      output = (output + chunk.toString()).slice(-LONGEST_LOG)
      if (!output.includes(READY)) return
      clearTimeout(timer)
      server.stderr?.off('data', listen)
      server.removeAllListeners('exit')
      ready()
    }
    server.stderr?.on('data', listen)
  })
  return server
}

// The reason with the lines around it. Later lines only report that other processes end.
function lastLines(output: string): string {
  const lines = output.trim().split('\n')
  const reason = lines.findLastIndex((line) => / (FATAL|PANIC): /.test(line))
  return (reason === -1 ? lines.slice(-3) : lines.slice(Math.max(0, reason - 1), reason + 3)).join(
    '\n',
  )
}

// Fast shutdown ends the sessions and keeps every commit. PostgreSQL 18 does not finish it during a
// crash recovery. The harsher signals keep every commit as well, and cause a recovery at the next
// start.
const STOP_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const

export async function stopPostgres(server: ChildProcess, timeoutMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit').then(() => true)
  for (const signal of STOP_SIGNALS) {
    server.kill(signal)
    if (await Promise.race([exited, pause(timeoutMs, false, { ref: false })])) return
  }
  await exited
}
