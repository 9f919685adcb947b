import type { Columns } from '../db/statement-line/answer-reader.ts'
import type { Statement } from '../db/statement-line/statement-bytes.ts'
import type { StatementLine } from '../db/statement-line/statement-line.ts'

/** The part of a connection that beats use. */
export type Line = Pick<StatementLine, 'connect' | 'ask' | 'cut' | 'end'>

/**
 * The connection of beats. It is not from the pool, because a busy pool must not look like a dead
 * process.
 */
export type BeatLine = {
  /** Rejects on timeout. The next beat connects again. */
  ask(statement: Statement): Promise<readonly Columns[]>
  close(): Promise<void>
}

export function createBeatLine(connect: () => Line, connectMs: number): BeatLine {
  let open: Line | null = null

  async function connected(): Promise<Line> {
    if (open !== null) return open
    const line = connect()
    // A server that disappeared does not answer connection attempts either.
    const timer = setTimeout(() => line.cut(), connectMs)
    try {
      await line.connect()
      open = line
      return line
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async ask(statement) {
      const line = await connected()
      try {
        return await line.ask(statement)
      } catch (error) {
        line.cut()
        if (open === line) open = null
        throw error
      }
    },
    async close() {
      await open?.end().catch(() => {})
      open = null
    },
  }
}
