import pg from 'pg'
import { faultOf } from './fault.ts'
import type { Route } from './route.ts'
import { CONNECT_WITHIN_MS, cut, NoAnswer, sessionClass, within } from './session.ts'

/** A connection while somebody works with it. */
export type Borrowed = {
  /** One statement. Its connection is cut when the answer takes longer. */
  ask(statement: pg.QueryConfig, withinMs: number): Promise<pg.QueryResult>
  /** Cuts it, whatever is under way. */
  cut(): void
  /** Whether it may be used again. */
  isBroken(): boolean
  /** To be called once, at the end. */
  giveBack(): void
}

/** Connections that are handed out one at a time, and given up when they broke or fell silent. */
export class Pool {
  readonly #route: Route
  readonly #pool: pg.Pool
  // When one connection falls silent, those that were opened before are not trusted either: each would keep a caller waiting.
  #generation = 0
  readonly #generations = new WeakMap<pg.PoolClient, number>()

  constructor(config: pg.ClientConfig, route: Route, size: number) {
    this.#route = route
    this.#pool = new pg.Pool({
      ...config,
      Client: sessionClass(route),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      max: size,
      application_name: 'tollgate',
    })
    // A connection that breaks while idle is replaced on the next use; without a listener it would end the process.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => void this.#generations.set(client, this.#generation))
  }

  async borrow(): Promise<Borrowed> {
    const client = await this.#trusted()
    let broken: Error | undefined
    return {
      ask: (statement, withinMs) =>
        within(withinMs, client.query(statement), () => cut(client)).catch((error: unknown) => {
          broken ??= this.#reasonToDrop(error)
          throw error
        }),
      cut: () => cut(client),
      isBroken: () => broken !== undefined,
      giveBack: () => client.release(broken),
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

  async #trusted(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connected()
      if (this.#generations.get(client) === this.#generation) return client
      client.release(true)
    }
  }

  /** The first connection after a failover finds the old primary gone and forgets it; the second one looks for the new. */
  #connected(): Promise<pg.PoolClient> {
    const first = this.#pool.connect()
    return this.#route.hasChoice ? first.catch(() => this.#pool.connect()) : first
  }

  #reasonToDrop(error: unknown): Error | undefined {
    if (error instanceof NoAnswer) this.#generation += 1
    // After a value that could not be written down, pg leaves the statement half sent.
    if (error instanceof pg.DatabaseError && faultOf(error) !== 'connection') return undefined
    // Another host may be the one that takes writes by now.
    this.#route.forget()
    return error instanceof Error ? error : new Error('The connection broke.')
  }
}
