import type { Columns } from '../db/pipeline/answer-reader.ts'
import type { Statement } from '../db/pipeline/statement-bytes.ts'
import type { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'

/** The part of a connection that beats use. */
export type BeatPipeline = Pick<StatementPipeline, 'connect' | 'query' | 'cut' | 'end'>

/**
 * The connection of beats. It is not from the pool, because a busy pool must not look like a dead
 * process.
 */
export type BeatConnection = {
  /** Rejects on timeout. The next beat connects again. */
  query(statement: Statement): Promise<readonly Columns[]>
  close(): Promise<void>
}

export function createBeatConnection(
  connect: () => BeatPipeline,
  connectMs: number,
): BeatConnection {
  let open: BeatPipeline | null = null

  async function connected(): Promise<BeatPipeline> {
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
    async query(statement) {
      const line = await connected()
      try {
        return await line.query(statement)
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
