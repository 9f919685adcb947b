import pg from 'pg'

/**
 * What a failed statement says about itself, which decides what to do next:
 * - `data`: this statement cannot work; nothing of it was kept, and asking again changes nothing.
 * - `contention`: another one was in the way (a deadlock, a lock that was not let go); nothing of it was kept, and asking again works.
 * - `connection`: the connection or the server broke; whether it was committed is unknown.
 */
export type Fault = 'data' | 'contention' | 'connection'

// Classes of SQLSTATE: 08 and 57 tell of the connection and of shutdown, 53 of resources, 58 and XX of the server
// itself. 28 and 3D: it refused a new connection, because the password or the database's name was changed. 25006: the
// server became a read-only standby; a new connection may find the one that took over. 25P03 and 25P04: it ended the
// connection because a transaction took too long.
const OF_THE_SERVER = /^(08|28|3D|53|57|58|XX|25006|25P0[34])/
// 26000: a prepared statement that the server does not know by its name. On the ledger's connection it was sent behind the
// one that should have made it known and failed; the next time it is parsed. 55P03: it waited too long for a lock.
const WORKS_WHEN_REPEATED = /^(40|26000|55P03)/

export function faultOf(error: unknown): Fault {
  // A value that could not even be written down.
  if (error instanceof TypeError || error instanceof RangeError) return 'data'
  // The network's own errors have codes too, and EPIPE even looks like an SQLSTATE.
  if (
    !(error instanceof pg.DatabaseError) ||
    error.code === undefined ||
    OF_THE_SERVER.test(error.code)
  )
    return 'connection'
  return WORKS_WHEN_REPEATED.test(error.code) ? 'contention' : 'data'
}

/** Another one kept a lock for longer than is waited. Asking again at once would wait as long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/** A table was locked, and not a row: of a row, the server names the tuple that it waited for. */
export function isTableLocked(error: unknown): boolean {
  return isLockTimeout(error) && !/\btuple\b/.test((error as pg.DatabaseError).where ?? '')
}
