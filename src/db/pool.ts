import pg from 'pg'
import { faultOf } from './fault.ts'
import type { Route } from './route.ts'
import {
  CONNECT_WITHIN_MS,
  cutConnection,
  ResponseTimeout,
  createSessionClass,
  withTimeout,
} from './session.ts'

/** A borrowed connection. */
export type Borrowed = {
  /** Runs one statement. After the timeout it cuts the connection. */
  query(statement: pg.QueryConfig, withinMs: number): Promise<pg.QueryResult>
  /** Closes the connection immediately. */
  cut(): void
  isBroken(): boolean
  /** Returns it to the pool. Call it once. */
  release(): void
}

/** A pool that drops broken and silent connections. */
export class Pool {
  readonly #route: Route
  readonly #pool: pg.Pool
  // After a timeout, older connections are not used either: each would let a caller wait.
  #generation = 0
  readonly #generations = new WeakMap<pg.PoolClient, number>()

  constructor(config: pg.ClientConfig, route: Route, size: number) {
    this.#route = route
    this.#pool = new pg.Pool({
      ...config,
      Client: createSessionClass(route),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      max: size,
      application_name: 'tollgate',
    })
    // A broken idle connection is replaced on its next use. Without a listener it would end the
    // process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => void this.#generations.set(client, this.#generation))
  }

  async borrow(): Promise<Borrowed> {
    const client = await this.#connectFresh()
    let broken: Error | undefined
    return {
      query: (statement, withinMs) =>
        withTimeout(withinMs, client.query(statement), () => cutConnection(client)).catch(
          (error: unknown) => {
            broken ??= this.#reasonToDrop(error)
            throw error
          },
        ),
      cut: () => cutConnection(client),
      isBroken: () => broken !== undefined,
      release: () => client.release(broken),
    }
  }

  get use(): {
    readonly open: number
    readonly idle: number
    readonly waiting: number
    readonly most: number
  } {
    return {
      open: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#pool.waitingCount,
      most: this.#pool.options.max,
    }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #connectFresh(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect()
      if (this.#generations.get(client) === this.#generation) return client
      client.release(true)
    }
  }

  /**
   * After a failover the first attempt finds the old primary gone. The second one finds the new
   * primary.
   */
  #connect(): Promise<pg.PoolClient> {
    const first = this.#pool.connect()
    return this.#route.hasChoice ? first.catch(() => this.#pool.connect()) : first
  }

  #reasonToDrop(error: unknown): Error | undefined {
    if (error instanceof ResponseTimeout) this.#generation += 1
    // After a value that cannot be encoded, pg leaves the statement half sent.
    if (error instanceof pg.DatabaseError && faultOf(error) !== 'connection') return undefined
    // Another host may be the primary now.
    this.#route.forget()
    return error instanceof Error ? error : new Error('The connection broke.')
  }
}
