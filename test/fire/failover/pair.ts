/** Primary and standby from the packaged PostgreSQL: what the fire tier can run on any machine. An operator's manager decides about the fail-over; here the test does. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { copyServer } from '../../../src/db/copy-server.ts'
import { connectDatabase } from '../../../src/db/database.ts'
import { locateBinaries } from '../../../src/db/postgres-binaries.ts'
import { buildCommandLine, initialisePostgres } from '../../../src/db/postgres-server.ts'
import {
  askNode,
  awaitNode,
  clusterUrl,
  freePort,
  IS_SYNCHRONOUS,
  nodeUrl,
  type Cluster,
} from './cluster.ts'

const LOGIN = { user: 'tollgate', database: 'postgres' }
const ACCESS = [
  'local all all trust',
  'host all all 127.0.0.1/32 trust',
  'host replication all 127.0.0.1/32 trust',
  '',
]
const IS_STREAMING =
  "select exists (select from pg_stat_replication where state = 'streaming') as is_so"

export type PairSettings = {
  /** An empty folder for the data of both nodes. */
  readonly folder: string
  /** Whether a commit waits until the standby has it on its disk. */
  readonly isSynchronous: boolean
}

/** Starts both nodes and waits until the standby follows. */
export async function startPair({ folder, isSynchronous }: PairSettings): Promise<Cluster> {
  const ports = [await freePort(), await freePort()] as const
  const [primaryData, standbyData] = [join(folder, 'primary'), join(folder, 'standby')] as const
  const primaryUrl = nodeUrl(LOGIN, ports[0])
  const binaries = locateBinaries()
  initialisePostgres(binaries, primaryData)
  writeFileSync(join(primaryData, 'pg_hba.conf'), ACCESS.join('\n'))
  const primary = await launchNode(binaries, primaryData, ports[0])
  await awaitNode(primaryUrl, 'select true as is_so')
  const database = connectDatabase(primaryUrl, { poolSize: 1 })
  try {
    await copyServer(database, primaryData, standbyData)
    writeFileSync(join(standbyData, 'standby.signal'), '')
    appendFileSync(
      join(standbyData, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=${LOGIN.user}'\n`,
    )
    const standby = await launchNode(binaries, standbyData, ports[1])
    await awaitNode(primaryUrl, IS_STREAMING)
    if (isSynchronous) {
      await database.query("alter system set synchronous_standby_names = '*'")
      await database.query('select pg_reload_conf()')
      await awaitNode(primaryUrl, IS_SYNCHRONOUS)
    }
    return clusterOf({ ports, primary, standby })
  } finally {
    await database.close()
  }
}

type Nodes = {
  readonly ports: readonly [number, number]
  readonly primary: ChildProcess
  readonly standby: ChildProcess
}

function clusterOf({ ports, primary, standby }: Nodes): Cluster {
  return {
    url: clusterUrl(LOGIN, ports),
    killPrimary: () => killNode(primary),
    promoted: async () => void (await askNode(nodeUrl(LOGIN, ports[1]), 'select pg_promote(true)')),
    async holdReplication() {
      for (const pid of await walSenders(ports[0])) process.kill(pid, 'SIGSTOP')
    },
    async stop() {
      await Promise.all([killNode(primary), killNode(standby)])
    },
  }
}

async function walSenders(port: number): Promise<number[]> {
  const row = await askNode<{ pids: number[] }>(
    nodeUrl(LOGIN, port),
    'select array_agg(pid) as pids from pg_stat_replication',
  )
  return row?.pids ?? []
}

async function launchNode(binaries: string, data: string, port: number): Promise<ChildProcess> {
  const sockets = `${data}.socket`
  await mkdir(sockets, { mode: 0o700 })
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: sockets,
    max_connections: 200,
    shared_buffers: '64MB',
    wal_level: 'replica',
    max_wal_senders: 5,
    hot_standby: 'on',
    wal_keep_size: '256MB',
    log_min_messages: 'fatal',
  }
  const [command, args] = buildCommandLine(join(binaries, 'postgres'), [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  return spawn(command, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] } })
}

/** All processes of the node together: a stopped one would outlive the others. */
async function killNode(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return
  const exited = once(node, 'exit')
  const children = readFileSync(`/proc/${node.pid}/task/${node.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  node.kill('SIGKILL')
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended with the node.
    }
  }
  await exited
}
