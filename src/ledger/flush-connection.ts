import { faultOf } from '../db/fault.ts'
import type { StatementLine } from '../db/statement-line/statement-line.ts'

// Of a connection that vanished without a word a flush would hear nothing until its deadline, and calls would wait for it.
const PROBE_AFTER_MS = 5_000
const PROBE = { name: '', text: 'select 1', values: [] }

/** What flushes need of a connection. */
export type FlushLine = Pick<StatementLine, 'connect' | 'ask' | 'lost' | 'cut' | 'end'>

/** The connection of flushes: opened by the first of them, and anew by the next one after it broke. */
export type FlushConnection = {
  opened(): Promise<FlushLine>
  /** Cuts one that a flush found broken, at once: one that fell silent would never finish what it has before it. */
  drop(broken: Promise<FlushLine>): void
  droppedSoFar(): number
  end(): Promise<void>
}

export function createFlushConnection(
  connect: () => FlushLine,
  probeAfterMs = PROBE_AFTER_MS,
): FlushConnection {
  let line: Promise<FlushLine> | undefined
  let isUsed = false
  let lastDropped: Promise<FlushLine> | undefined
  let dropped = 0

  function drop(broken: Promise<FlushLine>): void {
    // Once for both flushes that were under way on it.
    if (lastDropped !== broken) dropped += 1
    lastDropped = broken
    if (line === broken) line = undefined
    broken.then(
      (opened) => opened.cut(),
      () => {},
    )
  }

  function remember(opening: Promise<FlushLine>): Promise<FlushLine> {
    const forget = (): void => {
      if (line === opening) line = undefined
    }
    opening.then((opened) => {
      const probing = setInterval(() => {
        if (!isUsed) opened.ask(PROBE).catch(() => line === opening && drop(opening))
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
    droppedSoFar: () => dropped,
    async end() {
      await (await line?.catch(() => undefined))?.end()
    },
  }
}

// Less than half of what a flush may take, because a second one may lie behind the first. Callers are answered before.
const LOCK_TIMEOUT = '2s'

// The flush touches a few rows of large tables by their keys. Left alone, the planner plans every flush anew by the
// length of its arrays (which costs more than running it) and scans small tables that are about to be large.
const PLANNER_SETTINGS = {
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

async function openLine(connect: () => FlushLine): Promise<FlushLine> {
  const line = connect()
  try {
    await line.connect()
    await line.ask(SESSION)
    return line
  } catch (error) {
    line.cut()
    // With a reason of the server's too (a password that changed, a database that is closed): none of it is in the flush.
    throw faultOf(error) === 'data'
      ? new Error('The database refuses the connection of the ledger.', { cause: error })
      : error
  }
}
