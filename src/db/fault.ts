import pg from 'pg'

/**
 * The class of a failed statement, which decides how to continue:
 * - `data`: the statement is wrong. It wrote nothing, and a repetition fails again.
 * - `contention`: a deadlock or a lock timeout. It wrote nothing, and a repetition works.
 * - `connection`: the connection or the server broke. Its commit is unknown.
 */
export type Fault = 'data' | 'contention' | 'connection'

// Classes of SQLSTATE. 08 and 57: connection and shutdown. 53: resources. 58 and XX: the server
// itself. 28 and 3D: a refused connection, because the password or the name of the database has
// changed. 25006: a read-only standby; a new connection may reach the new primary. 25P03 and 25P04:
// the server ended the connection because a transaction took too long.
const SERVER_FAULT = /^(08|28|3D|53|57|58|XX|25006|25P0[34])/
// 26000: an unknown prepared statement. On the ledger's connection, the statement before it should
// have parsed it and failed; the next attempt parses it. 55P03: a lock timeout.
const WORKS_WHEN_REPEATED = /^(40|26000|55P03)/

export function faultOf(error: unknown): Fault {
  // A value that cannot be encoded.
  if (error instanceof TypeError || error instanceof RangeError) return 'data'
  // Network errors have codes as well, and EPIPE looks like an SQLSTATE.
  if (
    !(error instanceof pg.DatabaseError) ||
    error.code === undefined ||
    SERVER_FAULT.test(error.code)
  )
    return 'connection'
  return WORKS_WHEN_REPEATED.test(error.code) ? 'contention' : 'data'
}

/** Another transaction held a lock for too long. An immediate repetition would wait as long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** A table was locked, and not a row: of a row, the server names the tuple that it waited for. */
export function isTableLocked(error: unknown): boolean {
  return isLockTimeout(error) && !/\btuple\b/.test((error as pg.DatabaseError).where ?? '')
}
