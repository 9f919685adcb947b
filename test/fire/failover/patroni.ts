/**
 * The worked example of docs/high-availability.md on one machine: etcd and two nodes of Patroni from Debian's packages, with
 * `examples/high-availability/patroni.yml`. The environment sets the values of each node, as Patroni documents.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  awaitNode,
  clusterUrl,
  freePort,
  IS_SYNCHRONOUS,
  nodeUrl,
  type Cluster,
} from './cluster.ts'

const CONFIG = join(import.meta.dirname, '../../../examples/high-availability/patroni.yml')
const ADMIN = { user: 'postgres', password: 'change-me-1', database: 'postgres' }
const GATEWAY = { user: 'tollgate', password: 'tollgate', database: 'tollgate' }
const IS_PRIMARY = 'select not pg_is_in_recovery() as is_so'

type Node = { readonly port: number; readonly patroni: ChildProcess; readonly data: string }

/** Needs root, and Debian's packages `patroni`, `etcd-server` and `postgresql`. `folder` must be readable by the user postgres. */
export async function startPatroni(folder: string): Promise<Cluster> {
  refuseWithoutPackages()
  chmodSync(folder, 0o755)
  const config = join(folder, 'patroni.yml')
  cpSync(CONFIG, config)
  const etcdPort = await freePort()
  const etcd = startEtcd(folder, etcdPort, await freePort())
  const nodes: Node[] = []
  for (const name of ['node1', 'node2'])
    nodes.push(
      startNode({
        name,
        folder,
        config,
        etcdPort,
        port: await freePort(),
        restPort: await freePort(),
      }),
    )
  const [first, second] = nodes as [Node, Node]
  const primary = await Promise.any(
    [first, second].map((node) =>
      awaitNode(nodeUrl(ADMIN, node.port), IS_PRIMARY).then(() => node),
    ),
  )
  const standby = primary === first ? second : first
  await awaitNode(nodeUrl(ADMIN, primary.port), IS_SYNCHRONOUS)
  createGatewayDatabase(primary.port)
  return {
    url: clusterUrl(GATEWAY, [first.port, second.port]),
    killPrimary: () => killNode(primary),
    promoted: () => awaitNode(nodeUrl(GATEWAY, standby.port), IS_PRIMARY),
    holdReplication: async () => {
      throw new Error('Only the pair without a manager can fall behind.')
    },
    async stop() {
      await Promise.all([killNode(primary), killNode(standby)])
      await kill(etcd)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function refuseWithoutPackages(): void {
  for (const program of ['patroni', 'etcd', 'setpriv']) {
    if (spawnSync('which', [program]).status !== 0)
      throw new Error(
        `"${program}" is missing. As root: apt-get install patroni etcd-server postgresql`,
      )
  }
}

function startEtcd(folder: string, port: number, peerPort: number): ChildProcess {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const log = openSync(join(folder, 'etcd.log'), 'a')
  return spawn(
    'etcd',
    [
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ],
    { stdio: ['ignore', log, log] },
  )
}

type NodeSettings = {
  readonly name: string
  readonly folder: string
  readonly config: string
  readonly etcdPort: number
  readonly port: number
  readonly restPort: number
}

function startNode({ name, folder, config, etcdPort, port, restPort }: NodeSettings): Node {
  const home = join(folder, name)
  mkdirSync(home)
  spawnSync('chown', ['postgres:postgres', home])
  const log = openSync(join(folder, `${name}.log`), 'a')
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
    PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
  }
  const patroni = spawn(
    'setpriv',
    ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups', 'patroni', config],
    { stdio: ['ignore', log, log], env: environment, cwd: home },
  )
  return { port, patroni, data: join(home, 'data') }
}

/** The commands that docs/high-availability.md gives for the gateway's role and database. */
function createGatewayDatabase(port: number): void {
  const sql = [
    `create role ${GATEWAY.user} login password '${GATEWAY.password}'`,
    `create database ${GATEWAY.database} owner ${GATEWAY.user}`,
  ]
  const done = spawnSync(
    'psql',
    [nodeUrl(ADMIN, port), ...sql.flatMap((statement) => ['-c', statement])],
    { encoding: 'utf8' },
  )
  if (done.status !== 0) throw new Error(`The gateway's database was not created: ${done.stderr}`)
}

/** Patroni first, or it would start PostgreSQL again; then every process of the server. */
async function killNode({ patroni, data }: Node): Promise<void> {
  await kill(patroni)
  const pid = postmasterOf(data)
  if (pid === null) return
  const children = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .filter(Boolean)
    .map(Number)
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It ended with the others.
    }
  }
}

function postmasterOf(data: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return null
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
