import { writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'
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
  return pino({ level: logLevel, redact: ['req.headers.authorization', 'headers.authorization', 'authorization'], base: { pid: process.pid } }, { write })
}
