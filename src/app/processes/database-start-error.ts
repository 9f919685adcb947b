import pg from 'pg'
import { ReadOnlyServer } from '../../db/session.ts'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'

// A role without rights in any schema gets "no schema" (3F000) instead of "permission denied".
const LACKS_A_RIGHT = ['42501', '3F000']
// OpenSSL's names in Node.js. Codes of Node.js's own checks begin with ERR_TLS_CERT.
const OF_THE_CERTIFICATE = /^(ERR_TLS_CERT_.+|.*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
// SQLSTATE classes for a rejected user or password, an unknown database, and an unsupported feature.
const OF_THE_ADDRESS = /^(28|3D|0A)/

/**
 * Whether starting again can succeed without a change of settings: the database is away, in
 * recovery, out of connections or slow. `waitsForPrimary`: one of several hosts becomes the primary.
 */
export function isTransient(error: unknown, waitsForPrimary: boolean): boolean {
  const reason = innermost(error)
  const code = codeOf(reason)
  if (reason instanceof ReadOnlyServer) return waitsForPrimary
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

/** Converts the error of a database that cannot be used into a StartError with advice for the operator. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof StartError) return error
  const reason = reasonOf(error)
  if (innermost(error) instanceof ReadOnlyServer)
    return new StartError(
      'The database at DATABASE_URL is read-only: it is a standby or set to read-only. Name the primary, or all hosts of the cluster.',
      { cause: error },
    )
  if ((error as { syscall?: unknown }).syscall === 'open')
    return new StartError(`A file named in DATABASE_URL cannot be read: ${reason}.`, {
      cause: error,
    })
  if (LACKS_A_RIGHT.includes(codeOf(error)))
    return new StartError(
      `The user in DATABASE_URL lacks a privilege: ${reason}. Make it the owner of its database: alter database <name> owner to <user>.`,
      { cause: error },
    )
  // After the semicolon, Node.js adds advice about its own flags.
  if (OF_THE_CERTIFICATE.test(codeOf((error as Error).cause)))
    return new StartError(
      `The certificate of the database at DATABASE_URL is not trusted: ${reason.split(';')[0]}. Set sslrootcert to the file of its certificate authority, and use the host name in the certificate.`,
      { cause: error },
    )
  if (error instanceof AppError)
    return new StartError(
      `The database at DATABASE_URL is unreachable: ${reason}. Check the address, user, password and database name, and that PostgreSQL is running.`,
      { cause: error },
    )
  if (error instanceof pg.DatabaseError)
    return new StartError(
      `The database rejected a step of the startup: ${reason} (${codeOf(error)}).`,
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
