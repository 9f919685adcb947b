import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../errors/start-error.ts'
import { otherOwnerOf } from '../lib/other-owner.ts'
import { locateBinaries } from './postgres-binaries.ts'
import {
  FolderInUseError,
  initialisePostgres,
  launchPostgres,
  POSTGRES_START_TIMEOUT_MS,
  POSTGRES_USER,
  stopPostgres,
} from './postgres-server.ts'
import { mayBePostgres, releaseStaleLocks } from './stale-locks.ts'

/** The address of the database: a Unix socket in a folder that only this user can enter. */
export type DatabaseAddress = {
  readonly host: string
  readonly user: string
  readonly database: string
}

export type EmbeddedPostgres = {
  readonly address: DatabaseAddress
  /** False when another process on this folder runs it. */
  readonly owned: boolean
  stop(): Promise<void>
}

export type EmbeddedPostgresSettings = {
  readonly folder: string
  /** Only for temporary test databases: a power failure can lose commits. */
  readonly unsafeFast?: boolean
  /** The timeout of each signal before the next, harsher one. */
  readonly stopTimeoutMs?: number
}

const JOIN_PAUSE_MS = 50
const RELAUNCH_PAUSE_MS = 250
const CONNECT_TIMEOUT_MS = 10_000
/** The SQLSTATE of a server whose disk is full. */
const DISK_FULL = '53100'
const STOP_TIMEOUT_MS = 15_000
// Linux allows 107 bytes for the path of a socket, which includes the socket's name.
const LONGEST_SOCKET_FOLDER = 90

/**
 * Starts PostgreSQL on `folder`, which it creates on first use, or joins a server that already runs
 * there.
 */
export async function startEmbeddedPostgres(
  settings: EmbeddedPostgresSettings,
): Promise<EmbeddedPostgres> {
  const folder = resolve(settings.folder)
  refuseForeignFolder(folder)
  const binaries = locateBinaries()
  const socketFolder = makeSocketFolder(folder)
  const address = addressIn(socketFolder)
  if (await accepts(address)) return joined(address)

  const data = join(folder, 'data')
  const until = performance.now() + POSTGRES_START_TIMEOUT_MS
  if (await waitUntilUp(address, data, until)) return joined(address)
  if (!existsSync(join(data, 'PG_VERSION'))) initialisePostgres(binaries, data)
  const launch = (): Promise<ChildProcess> => {
    releaseStaleLocks(data, socketFolder)
    return launchPostgres({
      binaries,
      data,
      socketFolder,
      logPath: join(folder, 'postgres.log'),
      unsafeFast: settings.unsafeFast === true,
    })
  }
  const server = await launchOrFind(launch, { address, data, until })
  if (server === null) return joined(address)
  return {
    address,
    owned: true,
    stop: () => stopPostgres(server, settings.stopTimeoutMs ?? STOP_TIMEOUT_MS),
  }
}

/** Null when another process of this installation was faster and its server accepts connections. */
async function launchOrFind(
  launch: () => Promise<ChildProcess>,
  { address, data, until }: { address: DatabaseAddress; data: string; until: number },
): Promise<ChildProcess | null> {
  for (;;) {
    try {
      return await launch()
    } catch (error) {
      if (await waitUntilUp(address, data, until)) return null
      // The former server ended meanwhile, or its last processes are about to.
      if (!(error instanceof FolderInUseError) || performance.now() >= until) throw error
      await pause(RELAUNCH_PAUSE_MS)
    }
  }
}

function joined(address: DatabaseAddress): EmbeddedPostgres {
  return { address, owned: false, stop: async () => {} }
}

function addressIn(socketFolder: string): DatabaseAddress {
  return { host: socketFolder, user: POSTGRES_USER, database: 'postgres' }
}

/**
 * Waits for the server that holds the data folder. False without one. Throws StartError for a
 * server that rejects connections, with its reason.
 */
async function waitUntilUp(
  address: DatabaseAddress,
  data: string,
  until: number,
): Promise<boolean> {
  while (isRunning(data)) {
    const refusal = await tryConnection(address)
    if (refusal === null) return true
    if (refusal.code === DISK_FULL || performance.now() >= until)
      throw new StartError(
        `PostgreSQL runs in ${data}, but accepts no new connection: ${refusal.message}. ${refusal.code === DISK_FULL ? 'Free some space on its disk and try again' : 'Its log is next to that folder'}.`,
      )
    await pause(JOIN_PAUSE_MS)
  }
  return false
}

// PostgreSQL writes its process id into its data folder.
function isRunning(data: string): boolean {
  try {
    return mayBePostgres(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10))
  } catch {
    return false
  }
}

/** The address of a PostgreSQL that already runs on `folder`, or null. */
export async function findEmbeddedPostgres(folder: string): Promise<DatabaseAddress | null> {
  const address = addressIn(socketFolderOf(resolve(folder)))
  return (await accepts(address)) ? address : null
}

function socketFolderOf(folder: string): string {
  const inside = join(folder, 'socket')
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER) return inside
  return join(
    tmpdir(),
    `tollgate-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
  )
}

// Another user's gateway may be running on it, so its files must not change.
function refuseForeignFolder(folder: string): void {
  const ownerId = otherOwnerOf(folder)
  if (ownerId !== null)
    throw new StartError(
      `${folder} belongs to the gateway of another user, whose id is ${ownerId}. Run this as that user (docs/operating.md shows how), or set another DATA_DIR.`,
    )
}

function makeSocketFolder(folder: string): string {
  const path = socketFolderOf(folder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (otherOwnerOf(path) !== null)
    throw new StartError(`${path} belongs to another user. Remove it or set another DATA_DIR.`)
  chmodSync(path, 0o700)
  return path
}

async function accepts(address: DatabaseAddress): Promise<boolean> {
  return existsSync(join(address.host, '.s.PGSQL.5432')) && (await tryConnection(address)) === null
}

/** The error of the connection; null for a server that accepts it. */
async function tryConnection(address: DatabaseAddress): Promise<NodeJS.ErrnoException | null> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  } finally {
    await client.end().catch(() => {})
  }
}
