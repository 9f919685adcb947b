import pg from 'pg'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import { currentAuthor } from './author.ts'
import { faultOf } from './fault.ts'
import { hostsOf } from './hosts.ts'
import { Pool, type Borrowed } from './pool.ts'
import { createRoute, type Host } from './route.ts'
import { probeHost, createSessionClass } from './session.ts'

/** Values of a statement. bigint and Date are sent as text that PostgreSQL reads exactly. */
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

/** Runs one statement. A `name` makes it a prepared statement, parsed once per connection. */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  values?: readonly SqlValue[],
  name?: string,
) => Promise<Rows<Row>>

/** A transaction in progress. Its queries run one after another on one connection. */
export type Transaction = { readonly query: Query }

/** The operations of a database, with one deadline. */
export type Work = {
  readonly query: Query
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/**
 * Queries and transactions throw AppError overloaded when the database is away, a lock is not free
 * in time, or their deadline passes. The internal reason is its cause. A query takes at most five
 * seconds.
 */
export type Database = Work & {
  /** The same with a longer deadline, for large reads and waits. */
  withDeadline(ms: number): Work
  /**
   * A separate connection for one purpose, such as LISTEN or the ledger's flush. The caller ends
   * it.
   */
  connect(purpose: string): pg.Client
  poolUse(): PoolUse
  close(): Promise<void>
}

/** Open and idle connections of the pool, its maximum, and waiting callers. */
export type PoolUse = {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export type DatabaseTarget =
  | string
  | { readonly host: string; readonly user: string; readonly database: string }

// By default pg returns every bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// PostgreSQL writes ids with dashes, newId without. Equal ids need the same form to compare as
// equal.
pg.types.setTypeParser(pg.types.builtins.UUID, (text) => text.replaceAll('-', ''))
// pg has no name for the type of arrays of ids.
const UUID_ARRAY = 2951 as number
pg.types.setTypeParser(UUID_ARRAY, (text) =>
  text === '{}' ? [] : text.slice(1, -1).replaceAll('-', '').split(','),
)

// A process that freezes inside a transaction, or whose machine disappears, would keep its locks
// for hours. Every flush of the ledger on the same wallet would wait for it.
const LONGEST_SILENCE_MS = 10_000
// Includes the wait for a connection. The lock timeout is shorter, so the server usually answers
// first.
const QUERY_WITHIN_MS = 4_500
// The minimum after a wait for the connection.
const LEAST_WITHIN_MS = 1_500
const TRANSACTION_WITHIN_MS = 15_000
const ROLLBACK_WITHIN_MS = 1_000
const LONGEST_LOCK_WAIT_MS = 3_000
// The kernel probes ten times, a second apart, so a dead idle connection breaks within 15 seconds.
const KEEP_ALIVE_AFTER_MS = 5_000

type Deadlines = { readonly queryMs: number; readonly transactionMs: number }

export type ConnectOptions = {
  readonly poolSize?: number
  /** The server ends a transaction with a longer pause between two statements. */
  readonly silenceMs?: number
  /** Deadlines of a query and of a transaction. */
  readonly queryMs?: number
  readonly transactionMs?: number
}

export function connectDatabase(target: DatabaseTarget, options: ConnectOptions = {}): Database {
  const {
    silenceMs = LONGEST_SILENCE_MS,
    queryMs = QUERY_WITHIN_MS,
    transactionMs = TRANSACTION_WITHIN_MS,
  } = options
  // Locks time out after half of it. Otherwise waiting transactions of a frozen process would get
  // the lock one after another.
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
  const route = createRoute(configs.map(readHost), (host) => probeHost(config, host))
  const Session = createSessionClass(route)
  const pool = new Pool(config, route, options.poolSize ?? 12)

  return {
    ...createWork(pool, begin, { queryMs, transactionMs }),
    withDeadline: (ms) => createWork(pool, begin, { queryMs: ms, transactionMs: ms }),
    connect: (purpose) => new Session({ ...config, application_name: `tollgate ${purpose}` }),
    poolUse: () => pool.use,
    close: () => pool.close(),
  }
}

function readHost(config: pg.ClientConfig): Host {
  const { host, port } = new pg.Client(config)
  return { host, port }
}

function createWork(pool: Pool, begin: string, { queryMs, transactionMs }: Deadlines): Work {
  async function query<Row>(
    text: string,
    values?: readonly SqlValue[],
    name?: string,
  ): Promise<Rows<Row>> {
    const startedMs = performance.now()
    const borrowed = await pool.borrow().catch(rethrow)
    try {
      const leftMs = queryMs - (performance.now() - startedMs)
      return await run<Row>(
        borrowed,
        Math.max(Math.min(LEAST_WITHIN_MS, queryMs), leftMs),
        text,
        values,
        name,
      )
    } finally {
      borrowed.release()
    }
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const borrowed = await pool.borrow().catch(rethrow)
    const overdue = setTimeout(() => borrowed.cut(), transactionMs)
    try {
      await run(borrowed, queryMs, `${begin}${setAuthor()}`)
      const result = await work({
        query: (text, values, name) => run(borrowed, queryMs, text, values, name),
      })
      await run(borrowed, queryMs, 'commit')
      return result
    } catch (error) {
      // A failed rollback drops the connection.
      if (!borrowed.isBroken()) await run(borrowed, ROLLBACK_WITHIN_MS, 'rollback').catch(() => {})
      throw error
    } finally {
      clearTimeout(overdue)
      borrowed.release()
    }
  }

  return { query, transaction }
}

// SET has no parameters, and "select set_config" would be the first query of the transaction, after
// which its isolation level cannot be set.
function setAuthor(): string {
  const author = currentAuthor()
  return author === null
    ? ''
    : `; set local tollgate.author = ${pg.escapeLiteral(JSON.stringify(author))}`
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
    .query(
      name === undefined ? { text, values: parameters } : { name, text, values: parameters },
      withinMs,
    )
    .catch(rethrow)
  return { rows: result.rows as Row[], count: result.rowCount ?? 0 }
}

// Callers can only retry. A refusal for the data is for the code that sent the statement.
function rethrow(error: unknown): never {
  const fault = faultOf(error)
  if (fault === 'data') throw error
  if (fault === 'connection')
    throw new DatabaseAway('The database cannot be reached at the moment.', error)
  throw new AppError('overloaded', 'Another transaction locks rows that this request needs.', {
    retryAfterSeconds: 1,
    cause: error,
  })
}
