/** A PostgreSQL cluster of two nodes on loopback. One of them accepts writes. */
import { connect, createServer, type AddressInfo } from 'node:net'
import pg from 'pg'

export type Cluster = {
  /** The DATABASE_URL of a gateway. It names both nodes and selects the one that accepts writes. */
  readonly url: string
  /** Kills every process of the primary's node, like a power cut. */
  killPrimary(): Promise<void>
  /** Resolves when the other node accepts writes. */
  promoted(): Promise<void>
  /** Stops replication, so that the standby falls behind. Only for asynchronous clusters. */
  holdReplication(): Promise<void>
  stop(): Promise<void>
}

/** Queries whether the standby takes part in every commit. */
export const IS_SYNCHRONOUS =
  "select exists (select from pg_stat_replication where sync_state = 'sync') as is_so"

export type Login = { readonly user: string; readonly password?: string; readonly database: string }

/** A connection URL of all nodes that selects the one that accepts writes. */
export function clusterUrl(login: Login, ports: readonly number[]): string {
  return `${urlOf(login, ports.map((port) => `127.0.0.1:${port}`).join(','))}?target_session_attrs=read-write`
}

export function nodeUrl(login: Login, port: number): string {
  return urlOf(login, `127.0.0.1:${port}`)
}

function urlOf({ user, password, database }: Login, hosts: string): string {
  return `postgres://${user}${password === undefined ? '' : `:${password}`}@${hosts}/${database}`
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

const NODE_STARTS_WITHIN_MS = 60_000

/** Runs a query on one node, whether it is the primary or a standby. Returns its first row. */
export async function askNode<Row extends pg.QueryResultRow>(
  url: string,
  query: string,
): Promise<Row | undefined> {
  const client = new pg.Client(url)
  // A dying node would otherwise end the test with an unhandled event.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(query)).rows[0]
  } finally {
    await client.end()
  }
}

/** Repeats a query for the boolean `is_so` until it is true. A node that is not up counts as false. */
export async function awaitNode(url: string, query: string): Promise<void> {
  const until = performance.now() + NODE_STARTS_WITHIN_MS
  for (;;) {
    try {
      if (await accepts(Number(new URL(url).port))) {
        if ((await askNode<{ is_so: boolean }>(url, query))?.is_so === true) return
        await askNode(url, 'select pg_sleep(0.05)')
      }
    } catch {
      // The node starts or changes its role.
    }
    if (performance.now() > until)
      throw new Error(`${url} did not answer true to "${query}" within a minute.`)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean): void => {
      socket.destroy()
      done(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
