import { faultOf } from '../db/fault.ts'
import type { StatementPipeline } from '../db/pipeline/statement-pipeline.ts'

// A connection can disappear silently. Without a probe, the next flush would wait until its
// deadline, and its calls with it.
const PROBE_AFTER_MS = 5_000
// Counts the other processes whose last statement flushed more than a few operations.
const PROBE = {
  name: '',
  text: `select count(*) from pg_stat_activity where datname = current_database()
    and application_name = current_setting('application_name') and pid <> pg_backend_pid()
    and query like '%ledger_flush%'`,
  values: [],
}

// A smaller flush is no load, and its calls are in no hurry.
const FEW_OPERATIONS = 4
// Bounds the wait of a call while the database is slow.
const LONGEST_TURNS_MS = 10

/** How long to leave the database to `others` after a flush of `operations` that took `tookMs`. */
export function turnsOfOthersMs(others: number, operations: number, tookMs: number): number {
  return operations <= FEW_OPERATIONS ? 0 : Math.min(Math.floor(others * tookMs), LONGEST_TURNS_MS)
}

/** The part of a connection that flushes use. */
export type FlushPipeline = Pick<StatementPipeline, 'connect' | 'query' | 'lost' | 'cut' | 'end'>

/** The connection of flushes. The next flush opens it again after it broke. */
export type FlushConnection = {
  opened(): Promise<FlushPipeline>
  /** Cuts a broken connection. A silent one would never finish its pending statements. */
  drop(broken: Promise<FlushPipeline>): void
  /** The number of other processes that flushed lately, at most ten seconds old. */
  others(): number
  /** The number of dropped connections. */
  dropped(): number
  end(): Promise<void>
}

export function createFlushConnection(
  connect: () => FlushPipeline,
  probeAfterMs = PROBE_AFTER_MS,
): FlushConnection {
  let line: Promise<FlushPipeline> | undefined
  let lastDropped: Promise<FlushPipeline> | undefined
  let [droppedCount, otherCount] = [0, 0]

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
        opened.query(PROBE).then(
          ([row]) => (otherCount = Number(row?.[0] ?? 0)),
          () => line === opening && drop(opening),
        )
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
    opened: () => (line ??= remember(openLine(connect))),
    drop,
    others: () => otherCount,
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
