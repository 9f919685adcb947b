import pg from 'pg'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import { faultOf } from './fault.ts'
import { hostsOf } from './hosts.ts'
import { Pool, type Borrowed } from './pool.ts'
import { createRoute, type Host } from './route.ts'
import { probeHost, sessionClass } from './session.ts'

/** Values that a statement may take. bigint and Date travel as text that PostgreSQL reads exactly. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Buffer
  | readonly SqlValue[]

export type Rows<Row> = { readonly rows: Row[]; readonly count: number }

/** Runs one statement. A `name` makes it a prepared statement, parsed once a connection. */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  values?: readonly SqlValue[],
  name?: string,
) => Promise<Rows<Row>>

/** A transaction in progress: its queries run one after the other on one connection. */
export type Transaction = { readonly query: Query }

/** What can be done with a database within one deadline. */
export type Work = {
  readonly query: Query
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/**
 * Queries and transactions throw AppError overloaded when the database is away, another one was in the way, or their deadline
 * passes; the private reason is its cause. A query is answered within five seconds, which callers wait for.
 */
export type Database = Work & {
  /** For what reads much, or waits for others: each query and each transaction may take so long. */
  withDeadline(ms: number): Work
  /** A connection of its own for a single purpose, such as LISTEN or the ledger's flush. The caller ends it. */
  connect(purpose: string): pg.Client
  poolUse(): PoolUse
  close(): Promise<void>
}

/** Connections of the pool, of them those that nobody uses, and who waits for one. */
export type PoolUse = {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export type DatabaseTarget =
  | string
  | { readonly host: string; readonly user: string; readonly database: string }

// Without this, pg hands every bigint on as text.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// PostgreSQL writes ids with dashes, newId without. One form everywhere, or equal ids would not compare as equal.
pg.types.setTypeParser(pg.types.builtins.UUID, (text) => text.replaceAll('-', ''))

// A process that freezes in the middle of a transaction, or whose machine vanishes, would keep its locks for hours: every
// flush of the ledger that touches the same wallet would wait for it.
const LONGEST_SILENCE_MS = 10_000
// With the wait for a connection. A lock is waited for three seconds, so mostly the server answers before.
const QUERY_WITHIN_MS = 4_500
// For one that had to wait for its connection.
const LEAST_WITHIN_MS = 1_500
const TRANSACTION_WITHIN_MS = 15_000
const ROLLBACK_WITHIN_MS = 1_000
const LONGEST_LOCK_WAIT_MS = 3_000
// The kernel asks ten times, a second apart: an idle connection whose other end is gone breaks within a quarter of a minute.
const KEEP_ALIVE_AFTER_MS = 5_000

type Deadlines = { readonly queryMs: number; readonly transactionMs: number }

export type ConnectOptions = {
  readonly poolSize?: number
  /** Between two statements of a transaction; the server ends one that is silent for longer. */
  readonly silenceMs?: number
  /** How long a query may take, and a transaction. */
  readonly queryMs?: number
  readonly transactionMs?: number
}

export function connectDatabase(target: DatabaseTarget, options: ConnectOptions = {}): Database {
  const {
    silenceMs = LONGEST_SILENCE_MS,
    queryMs = QUERY_WITHIN_MS,
    transactionMs = TRANSACTION_WITHIN_MS,
  } = options
  // A lock is waited for half as long, or further transactions of the frozen process would get it one after the other.
  const begin = `begin; set local idle_in_transaction_session_timeout = ${silenceMs}; set local lock_timeout = ${Math.min(silenceMs / 2, LONGEST_LOCK_WAIT_MS)}`
  const configs =
    typeof target === 'string'
      ? hostsOf(target).map((connectionString) => ({ connectionString }))
      : [target]
  const config = {
    ...configs[0],
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
  const route = createRoute(configs.map(hostIn), (host) => probeHost(config, host))
  const Session = sessionClass(route)
  const pool = new Pool(config, route, options.poolSize ?? 12)

  return {
    ...workWithin(pool, begin, { queryMs, transactionMs }),
    withDeadline: (ms) => workWithin(pool, begin, { queryMs: ms, transactionMs: ms }),
    connect: (purpose) => new Session({ ...config, application_name: `tollgate ${purpose}` }),
    poolUse: () => pool.use,
    close: () => pool.close(),
  }
}

function hostIn(config: pg.ClientConfig): Host {
  const { host, port } = new pg.Client(config)
  return { host, port }
}

function workWithin(pool: Pool, begin: string, { queryMs, transactionMs }: Deadlines): Work {
  async function query<Row>(
    text: string,
    values?: readonly SqlValue[],
    name?: string,
  ): Promise<Rows<Row>> {
    const askedMs = performance.now()
    const borrowed = await pool.borrow().catch(rethrow)
    try {
      const leftMs = queryMs - (performance.now() - askedMs)
      return await run<Row>(
        borrowed,
        Math.max(Math.min(LEAST_WITHIN_MS, queryMs), leftMs),
        text,
        values,
        name,
      )
    } finally {
      borrowed.giveBack()
    }
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const borrowed = await pool.borrow().catch(rethrow)
    const overdue = setTimeout(() => borrowed.cut(), transactionMs)
    try {
      await run(borrowed, queryMs, begin)
      const result = await work({
        query: (text, values, name) => run(borrowed, queryMs, text, values, name),
      })
      await run(borrowed, queryMs, 'commit')
      return result
    } catch (error) {
      // Fails only on a connection that is not used again.
      if (!borrowed.isBroken()) await run(borrowed, ROLLBACK_WITHIN_MS, 'rollback').catch(() => {})
      throw error
    } finally {
      clearTimeout(overdue)
      borrowed.giveBack()
    }
  }

  return { query, transaction }
}

async function run<Row>(
  borrowed: Borrowed,
  withinMs: number,
  text: string,
  values: readonly SqlValue[] = [],
  name?: string,
): Promise<Rows<Row>> {
  const parameters = values as unknown[]
  const result = await borrowed
    .ask(
      name === undefined ? { text, values: parameters } : { name, text, values: parameters },
      withinMs,
    )
    .catch(rethrow)
  return { rows: result.rows as Row[], count: result.rowCount ?? 0 }
}

// Callers can only wait and ask again; what the database refuses for its data is for those to judge who asked.
function rethrow(error: unknown): never {
  const fault = faultOf(error)
  if (fault === 'data') throw error
  if (fault === 'connection')
    throw new DatabaseAway('The database cannot be reached at the moment.', error)
  throw new AppError('overloaded', 'Another change was in the way.', {
    retryAfterSeconds: 1,
    cause: error,
  })
}
