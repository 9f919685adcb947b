import pg from 'pg'
import { TakesNoWrites } from '../../db/session.ts'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'

// Without a right in any schema a role is not refused: no schema is found for it.
const LACKS_A_RIGHT = ['42501', '3F000']
// As OpenSSL names them for Node.js; what Node.js checks itself begins with ERR_TLS_CERT.
const OF_THE_CERTIFICATE = /^(ERR_TLS_CERT_.+|.*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
// Classes of SQLSTATE for a refused user or password, an unknown database, and a feature that the server lacks.
const OF_THE_ADDRESS = /^(28|3D|0A)/

/**
 * Whether the same start works later without a change of its settings: the database is away, recovers, has no connection
 * left, or takes its time. `waitsForPrimary`: of several hosts one becomes the primary in a fail-over.
 */
export function isTransient(error: unknown, waitsForPrimary: boolean): boolean {
  const reason = innermost(error)
  const code = codeOf(reason)
  if (reason instanceof TakesNoWrites) return waitsForPrimary
  if (
    reason instanceof StartError ||
    (reason as { syscall?: unknown }).syscall === 'open' ||
    /does not support SSL/.test(reason.message)
  )
    return false
  if (
    code === 'EACCES' ||
    code === 'EPERM' ||
    OF_THE_CERTIFICATE.test(code) ||
    OF_THE_ADDRESS.test(code)
  )
    return false
  // A driver's own errors have no code.
  return error instanceof AppError
    ? error.code === 'overloaded'
    : !(reason instanceof pg.DatabaseError) || /^(08|53|57|58|XX|25|40|55)/.test(code)
}

/** What the operator is to do about a database that a start or a command cannot use. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof StartError) return error
  const reason = reasonOf(error)
  if (innermost(error) instanceof TakesNoWrites)
    return new StartError(
      'The database at DATABASE_URL takes no writes: it is a standby, or set to read-only. Name the primary, or all hosts of the cluster.',
      { cause: error },
    )
  if ((error as { syscall?: unknown }).syscall === 'open')
    return new StartError(`A file that DATABASE_URL names cannot be read: ${reason}.`, {
      cause: error,
    })
  if (LACKS_A_RIGHT.includes(codeOf(error)))
    return new StartError(
      `The user of DATABASE_URL lacks a right: ${reason}. Make it the owner of its database: alter database <name> owner to <user>.`,
      { cause: error },
    )
  // Behind the semicolon Node.js advises how to start it.
  if (OF_THE_CERTIFICATE.test(codeOf((error as Error).cause)))
    return new StartError(
      `The certificate of the database at DATABASE_URL is not accepted: ${reason.split(';')[0]}. Name the file of the authority that it is of with sslrootcert, and the server by the name in it.`,
      { cause: error },
    )
  if (error instanceof AppError)
    return new StartError(
      `The database at DATABASE_URL cannot be reached: ${reason}. Check address, user, password and name, and that PostgreSQL is running.`,
      { cause: error },
    )
  if (error instanceof pg.DatabaseError)
    return new StartError(
      `The database refused a step of the start: ${reason} (${codeOf(error)}).`,
      { cause: error },
    )
  return error
}

export function innermost(error: unknown): Error {
  let reason = error instanceof Error ? error : new Error(String(error))
  while (reason.cause instanceof Error) reason = reason.cause
  return reason
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
