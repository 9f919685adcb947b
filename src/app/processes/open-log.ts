import { writeSync } from 'node:fs'
import { pino, stdSerializers, type LoggerOptions, type Logger } from 'pino'
import { AppError } from '../../errors/app-error.ts'
import { DatabaseAway } from '../../errors/database-away.ts'
import type { Config } from '../settings/config.ts'
import type { DatabaseOutage } from '../monitoring/database-outage.ts'

type LogFnHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const STANDARD_ERROR = 2

type LogDeps = {
  readonly file?: number
  /** Logs an outage of the database once instead of every error that it causes. */
  readonly outage?: Pick<DatabaseOutage, 'counts'>
}

/**
 * The log goes to standard error; standard output carries only the ready line. When standard error
 * cannot be written, because the disk is full or the reader has gone, lines are dropped and the
 * process continues.
 */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  { file = STANDARD_ERROR, outage }: LogDeps = {},
): Logger {
  const write = (line: string): void => {
    try {
      writeSync(file, line)
    } catch {
      // There is nowhere else to report it.
    }
  }
  const logMethod: LogFnHook = function (values, method) {
    const failure = outage === undefined ? null : outageError(values[0])
    if (failure === null || outage?.counts(failure) !== true) method.apply(this, values)
  }
  return pino(
    {
      hooks: { logMethod },
      serializers: { err: brief },
      level: logLevel,
      redact: ['req.headers.authorization', 'headers.authorization', 'authorization'],
      base: { pid: process.pid },
    },
    { write },
  )
}

/** The error of a line when it is one of the outage. Lines about the outcome of a job stay. */
function outageError(facts: unknown): DatabaseAway | null {
  const { err, job_id: jobId } = (typeof facts === 'object' && facts !== null ? facts : {}) as {
    readonly err?: unknown
    readonly job_id?: unknown
  }
  return err instanceof DatabaseAway && jobId === undefined ? err : null
}

/** During an outage every query fails, so each error is one short line without a stack. */
function brief(error: Error): object {
  if (!(error instanceof AppError) || error.code !== 'overloaded') return stdSerializers.err(error)
  const { code, message, cause } = error
  return { type: error.name, code, message, cause: cause instanceof Error ? cause.message : null }
}
