import pg from 'pg'
import { AppError } from '../errors/app-error.ts'
import { DatabaseAway } from '../errors/database-away.ts'
import { faultOf } from './fault.ts'

/** Values that a statement may take. bigint and Date travel as text that PostgreSQL reads exactly. */
export type SqlValue = string | number | bigint | boolean | null | Date | Buffer | readonly SqlValue[]

export type Rows<Row> = { readonly rows: Row[]; readonly count: number }

/** Runs one statement. A `name` makes it a prepared statement, parsed once a connection. */
export type Query = <Row = Record<string, unknown>>(text: string, values?: readonly SqlValue[], name?: string) => Promise<Rows<Row>>

/** A transaction in progress: its queries run one after the other on one connection. */
export type Transaction = { readonly query: Query }

/** Queries and transactions throw AppError overloaded when the database is away or another one was in the way; the private reason is its cause. */
export type Database = {
  readonly query: Query
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** A connection of its own for a single purpose, such as LISTEN or the ledger's flush. The caller ends it. */
  connect(purpose: string): pg.Client
  poolUse(): PoolUse
  close(): Promise<void>
}

/** Connections of the pool, of them those that nobody uses, and who waits for one. */
export type PoolUse = { readonly open: number; readonly idle: number; readonly waiting: number; readonly most: number }

export type DatabaseTarget = string | { readonly host: string; readonly user: string; readonly database: string }

// Without this, pg hands every bigint on as text.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// PostgreSQL writes ids with dashes, newId without. One form everywhere, or equal ids would not compare as equal.
pg.types.setTypeParser(pg.types.builtins.UUID, (text) => text.replaceAll('-', ''))

const ignore = (): void => {}

// A process that freezes in the middle of a transaction, or whose machine vanishes, would keep its locks for hours: every
// flush of the ledger that touches the same wallet would wait for it. Shorter than a flush is waited for.
const LONGEST_SILENCE_MS = 10_000

/** `silenceMs`: between two statements of a transaction; the server ends one that is silent for longer. */
export function connectDatabase(target: DatabaseTarget, options: { poolSize?: number; silenceMs?: number } = {}): Database {
  const { silenceMs = LONGEST_SILENCE_MS } = options
  // A lock is waited for half as long, or further transactions of the frozen process would get it one after the other.
  const begin = `begin; set local idle_in_transaction_session_timeout = ${silenceMs}; set local lock_timeout = ${silenceMs / 2}`
  const common = { ...(typeof target === 'string' ? { connectionString: target } : target), connectionTimeoutMillis: 10_000, keepAlive: true }
  const pool = new pg.Pool({ ...common, max: options.poolSize ?? 12, application_name: 'tollgate' })
  // A connection that breaks while idle is replaced on the next use; without a listener it would end the process.
  pool.on('error', ignore)

  return {
    query: (text, values, name) => run(pool, text, values, name),
    async transaction(work) {
      const client = await pool.connect().catch(rethrow)
      // The pool listens for errors of idle connections only: one that broke between two queries would end the process.
      client.on('error', ignore)
      let broken: Error | undefined
      try {
        await client.query(begin).catch(rethrow)
        const result = await work({ query: (text, values, name) => run(client, text, values, name) })
        await client.query('commit').catch(rethrow)
        return result
      } catch (error) {
        await client.query('rollback').catch((rollbackError: Error) => {
          broken = rollbackError
        })
        throw error
      } finally {
        client.off('error', ignore)
        client.release(broken)
      }
    },
    connect(purpose) {
      const client = new pg.Client({ ...common, application_name: `tollgate ${purpose}` })
      client.on('error', ignore)
      return client
    },
    poolUse: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: pool.options.max }),
    close: () => pool.end(),
  }
}

async function run<Row>(client: pg.Pool | pg.ClientBase, text: string, values: readonly SqlValue[] = [], name?: string): Promise<Rows<Row>> {
  const parameters = values as unknown[]
  const result = await client.query(name === undefined ? { text, values: parameters } : { name, text, values: parameters }).catch(rethrow)
  return { rows: result.rows as Row[], count: result.rowCount ?? 0 }
}

// Callers can only wait and ask again; what the database refuses for its data is for those to judge who asked.
function rethrow(error: unknown): never {
  const fault = faultOf(error)
  if (fault === 'data') throw error
  if (fault === 'connection') throw new DatabaseAway('The database cannot be reached at the moment.', error)
  throw new AppError('overloaded', 'Another change was in the way.', { retryAfterSeconds: 1, cause: error })
}
