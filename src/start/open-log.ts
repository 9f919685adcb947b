import { writeSync } from 'node:fs'
import { pino, stdSerializers, type Logger } from 'pino'
import { AppError } from '../errors/app-error.ts'
import type { Config } from './config.ts'

const STANDARD_ERROR = 2

/**
 * Standard output carries the ready line alone; the log goes to standard error. Where nobody takes it any more, because a
 * disk is full or a reader has gone, lines are dropped: calls are answered all the same, and a stop ends the process.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, file: number = STANDARD_ERROR): Logger {
  const write = (line: string): void => {
    try {
      writeSync(file, line)
    } catch {
      // There is no other place to tell of it.
    }
  }
  return pino({ serializers: { err: brief }, level: logLevel, redact: ['req.headers.authorization', 'headers.authorization', 'authorization'], base: { pid: process.pid } }, { write })
}

/** While the database is away everything that asks it says so, again and again: in one short line each, without the way to it. */
function brief(error: Error): object {
  if (!(error instanceof AppError) || error.code !== 'overloaded') return stdSerializers.err(error)
  const { code, message, cause } = error
  return { type: error.name, code, message, cause: cause instanceof Error ? cause.message : null }
}
