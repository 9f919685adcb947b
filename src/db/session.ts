import type { Socket } from 'node:net'
import pg from 'pg'
import type { Host, Route } from './route.ts'

/** The host accepts connections and no writes: it is a standby, or became one. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  /** PostgreSQL's code for a write on a standby. */
  readonly code = '25006'
}

/** The server did not respond in time. */
export class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout'
}

type Callback = (error: Error | null, client?: pg.Client) => void

/** For a new connection, and for its settings with the check for a standby. */
export const CONNECT_WITHIN_MS = 3_000
const LOCK_TIMEOUT_MS = 3_000

// The server stops waiting or computing for a client that disconnected, and frees its connection.
// Servers on Windows lack the second setting.
const SETTINGS = `select set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', false),
  case when version() ~* 'visual c|mingw' then '' else set_config('client_connection_check_interval', '5s', false) end,
  current_setting('transaction_read_only') = 'on' as is_read_only`

/** The client class of `pg`, whose connections, including those of the pool, use the primary. */
export function createSessionClass(route: Route): typeof pg.Client {
  return class Session extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.Client> | void {
      const opened = this.#open()
      if (callback === undefined) return opened
      opened.then((client) => callback(null, client), callback)
    }

    async #open(): Promise<pg.Client> {
      // Without a listener, a connection that breaks between two statements would end the process.
      this.on('error', () => {})
      try {
        // The name is resolved for each connection.
        Object.assign(this, await route.pick())
        await withTimeout(CONNECT_WITHIN_MS, super.connect(), () => cutConnection(this))
        await prepareSession(this)
        return this
      } catch (error) {
        route.forget()
        cutConnection(this)
        throw error
      }
    }
  }
}

/** Throws unless the host accepts writes. */
export async function probeHost(config: pg.ClientConfig, host: Host): Promise<void> {
  const client = new pg.Client({ ...config, application_name: 'tollgate start' })
  client.on('error', () => {})
  Object.assign(client, host)
  try {
    await withTimeout(CONNECT_WITHIN_MS, client.connect(), () => cutConnection(client))
    await prepareSession(client)
  } finally {
    client.end().catch(() => {})
  }
}

async function prepareSession(client: pg.Client): Promise<void> {
  const { rows } = await withTimeout(
    CONNECT_WITHIN_MS,
    client.query<{ is_read_only: boolean }>(SETTINGS),
    () => cutConnection(client),
  )
  if (rows[0]?.is_read_only === true)
    throw new ReadOnlyServer('The server accepts no writes: it is a standby, or set to read-only')
}

/** The outcome of `work`. After `ms` it calls `giveUp` and rejects with ResponseTimeout. */
export async function withTimeout<Result>(
  ms: number,
  work: Promise<Result>,
  giveUp: () => void,
): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new ResponseTimeout(`The database did not answer within ${ms} ms.`))
    giveUp()
  }, ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Closes a connection without waiting for its server, which may be gone. */
export function cutConnection(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & {
    readonly connection: { readonly stream: Socket }
  }
  connection.stream.destroy()
}
