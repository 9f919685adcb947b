import { faultOf } from '../db/fault.ts'
import type { StatementLine } from '../db/statement-line/statement-line.ts'

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

export function createFlushConnection(connect: () => FlushLine): FlushConnection {
  let line: Promise<FlushLine> | undefined
  let lastDropped: Promise<FlushLine> | undefined
  let dropped = 0

  function remember(opening: Promise<FlushLine>): Promise<FlushLine> {
    const forget = (): void => {
      if (line === opening) line = undefined
    }
    opening.then((opened) => opened.lost.then(forget), forget)
    return opening
  }

  return {
    opened: () => (line ??= remember(openLine(connect))),
    drop(broken) {
      // Once for both flushes that were under way on it.
      if (lastDropped !== broken) dropped += 1
      lastDropped = broken
      if (line === broken) line = undefined
      broken.then((opened) => opened.cut(), () => {})
    },
    droppedSoFar: () => dropped,
    async end() {
      await (await line?.catch(() => undefined))?.end()
    },
  }
}

// The flush touches a few rows of large tables by their keys. Left alone, the planner plans every flush anew by the
// length of its arrays (which costs more than running it) and scans small tables that are about to be large.
const PLANNER_SETTINGS = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', enable_bitmapscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }
const PLANNER = { name: '', text: `select ${Object.entries(PLANNER_SETTINGS).map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`, values: [] }

async function openLine(connect: () => FlushLine): Promise<FlushLine> {
  const line = connect()
  try {
    await line.connect()
    await line.ask(PLANNER)
    return line
  } catch (error) {
    line.cut()
    // With a reason of the server's too (a password that changed, a database that is closed): none of it is in the flush.
    throw faultOf(error) === 'data' ? new Error('The database refuses the connection of the ledger.', { cause: error }) : error
  }
}
