import { writeSync } from 'node:fs'
import { pino, stdSerializers, type LoggerOptions, type Logger } from 'pino'
import { AppError } from '../../errors/app-error.ts'
import { DatabaseAway } from '../../errors/database-away.ts'
import type { Config } from '../settings/config.ts'
import type { DatabaseOutage } from '../monitoring/database-outage.ts'

type LogFnHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const STANDARD_ERROR = 2

type LogParts = {
  readonly file?: number
  /** Tells of a database that is away, in place of everything that meets it. */
  readonly outage?: Pick<DatabaseOutage, 'counts'>
}

/**
 * Standard output carries the ready line alone; the log goes to standard error. Where nobody takes it any more, because a
 * disk is full or a reader has gone, lines are dropped: calls are answered all the same, and a stop ends the process.
 */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  { file = STANDARD_ERROR, outage }: LogParts = {},
): Logger {
  const write = (line: string): void => {
    try {
      writeSync(file, line)
    } catch {
      // There is no other place to tell of it.
    }
  }
  const logMethod: LogFnHook = function (values, method) {
    const failure = outage === undefined ? null : nothingButAway(values[0])
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

/** The failure that a line tells, where it is that of everybody else while the database is away. What became of a job is its own. */
function nothingButAway(facts: unknown): DatabaseAway | null {
  const { err, job_id: jobId } = (typeof facts === 'object' && facts !== null ? facts : {}) as {
    readonly err?: unknown
    readonly job_id?: unknown
  }
  return err instanceof DatabaseAway && jobId === undefined ? err : null
}

/** While the database is away everything that asks it says so, again and again: in one short line each, without the way to it. */
function brief(error: Error): object {
  if (!(error instanceof AppError) || error.code !== 'overloaded') return stdSerializers.err(error)
  const { code, message, cause } = error
  return { type: error.name, code, message, cause: cause instanceof Error ? cause.message : null }
}
