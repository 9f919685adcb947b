import { faultOf } from '../db/fault.ts'
import type { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'

// A connection can disappear silently. Without a probe, the next flush would wait until its
// deadline, and its calls with it.
const PROBE_AFTER_MS = 5_000
const PROBE = { name: '', text: 'select 1', values: [] }

/** The part of a connection that flushes use. */
export type FlushPipeline = Pick<StatementPipeline, 'connect' | 'query' | 'lost' | 'cut' | 'end'>

/** The connection of flushes. The next flush opens it again after it broke. */
export type FlushConnection = {
  opened(): Promise<FlushPipeline>
  /** Cuts a broken connection. A silent one would never finish its pending statements. */
  drop(broken: Promise<FlushPipeline>): void
  /** The number of dropped connections. */
  dropped(): number
  end(): Promise<void>
}

export function createFlushConnection(
  connect: () => FlushPipeline,
  probeAfterMs = PROBE_AFTER_MS,
): FlushConnection {
  let line: Promise<FlushPipeline> | undefined
  let isUsed = false
  let lastDropped: Promise<FlushPipeline> | undefined
  let droppedCount = 0

  function drop(broken: Promise<FlushPipeline>): void {
    // Two flushes can report the same connection.
    if (lastDropped !== broken) droppedCount += 1
    lastDropped = broken
    if (line === broken) line = undefined
    broken.then(
      (opened) => opened.cut(),
      () => {},
    )
  }

  function remember(opening: Promise<FlushPipeline>): Promise<FlushPipeline> {
    const forget = (): void => {
      if (line === opening) line = undefined
    }
    opening.then((opened) => {
      const probing = setInterval(() => {
        if (!isUsed) opened.query(PROBE).catch(() => line === opening && drop(opening))
        isUsed = false
      }, probeAfterMs)
      probing.unref()
      void opened.lost.then(() => {
        clearInterval(probing)
        forget()
      })
    }, forget)
    return opening
  }

  return {
    opened() {
      isUsed = true
      return (line ??= remember(openLine(connect)))
    },
    drop,
    dropped: () => droppedCount,
    async end() {
      await (await line?.catch(() => undefined))?.end()
    },
  }
}

// Less than half the timeout of a flush, because a second flush may queue behind the first.
const LOCK_TIMEOUT = '2s'

// A flush reads a few rows of large tables by key. By default the planner plans every flush again
// for its array lengths, which takes longer than running it, and scans tables that are still small.
export const PLANNER_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}
const SESSION = {
  name: '',
  text: `select ${Object.entries({ ...PLANNER_SETTINGS, lock_timeout: LOCK_TIMEOUT })
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}`,
  values: [],
}

async function openLine(connect: () => FlushPipeline): Promise<FlushPipeline> {
  const line = connect()
  try {
    await line.connect()
    await line.query(SESSION)
    return line
  } catch (error) {
    line.cut()
    // The server can refuse a connection, for example after a password change. The data of the
    // flush is fine.
    throw faultOf(error) === 'data'
      ? new Error('The database refuses the ledger connection.', { cause: error })
      : error
  }
}
