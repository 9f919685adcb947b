import type { Socket } from 'node:net'
import pg from 'pg'
import type { Host, Route } from './route.ts'

/** The host answers and takes no writes: it is a standby, or became one. */
export class TakesNoWrites extends Error {
  override readonly name = 'TakesNoWrites'
  /** As PostgreSQL refuses a write there. */
  readonly code = '25006'
}

/** A connection whose server did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

type Callback = (error: Error | null, client?: pg.Client) => void

/** For a new connection, its settings and the look whether it takes writes. */
export const CONNECT_WITHIN_MS = 3_000
const LOCK_TIMEOUT_MS = 3_000

// A server that waits for a lock, or computes, for a client that gave up lets it be: it would keep one of the places for
// connections. Servers on Windows do not have the second setting.
const SETTINGS = `select set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', false),
  case when version() ~* 'visual c|mingw' then '' else set_config('client_connection_check_interval', '5s', false) end,
  current_setting('transaction_read_only') = 'on' as takes_no_writes`

/** What `pg` makes connections with, so that each of them, the pool's too, leads to the host that takes writes. */
export function sessionClass(route: Route): typeof pg.Client {
  return class Session extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.Client> | void {
      const opened = this.#open()
      if (callback === undefined) return opened
      opened.then((client) => callback(null, client), callback)
    }

    async #open(): Promise<pg.Client> {
      // One that breaks between two statements would end the process.
      this.on('error', () => {})
      try {
        // Its name is looked up for each connection.
        Object.assign(this, await route.pick())
        await within(CONNECT_WITHIN_MS, super.connect(), () => cut(this))
        await prepareSession(this)
        return this
      } catch (error) {
        route.forget()
        cut(this)
        throw error
      }
    }
  }
}

/** Throws unless the host takes writes. */
export async function probeHost(config: pg.ClientConfig, host: Host): Promise<void> {
  const client = new pg.Client({ ...config, application_name: 'tollgate start' })
  client.on('error', () => {})
  Object.assign(client, host)
  try {
    await within(CONNECT_WITHIN_MS, client.connect(), () => cut(client))
    await prepareSession(client)
  } finally {
    client.end().catch(() => {})
  }
}

async function prepareSession(client: pg.Client): Promise<void> {
  const { rows } = await within(
    CONNECT_WITHIN_MS,
    client.query<{ takes_no_writes: boolean }>(SETTINGS),
    () => cut(client),
  )
  if (rows[0]?.takes_no_writes === true)
    throw new TakesNoWrites('The server takes no writes: it is a standby, or set to read-only')
}

/** The outcome of `work`. When it takes longer than `ms`, `giveUp` ends what it waits for, and this rejects with NoAnswer. */
export async function within<Result>(
  ms: number,
  work: Promise<Result>,
  giveUp: () => void,
): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new NoAnswer(`The database did not answer within ${ms} ms.`))
    giveUp()
  }, ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a connection without waiting for its server, which may be gone. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & {
    readonly connection: { readonly stream: Socket }
  }
  connection.stream.destroy()
}
