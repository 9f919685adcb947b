import type { Database } from '../db/database.ts'
import { createSlots } from '../lib/fairness/fair-slots.ts'
import type { Id } from '../lib/ids.ts'

/** As much of a database as the reading of a history asks. */
export type HistoryDatabase = Pick<Database, 'query' | 'transaction'>

/** The database as it is asked for the history of an account. */
export type Histories = (accountId: Id) => HistoryDatabase

// A third of a process's connections. The others are for what is asked by everybody else, calls among them.
const READ_AT_ONCE = 4
const MOST_WAITING = 1_000

/**
 * Histories are read a few at once, and accounts take turns: one that asks a thousand times at the same moment, or exports
 * all it has again and again, keeps neither calls nor other readers waiting. Reading rejects with `rate_limited` when the
 * account has its share of those who wait.
 */
export function openHistories(database: HistoryDatabase): Histories {
  const slots = createSlots({
    places: READ_AT_ONCE,
    waiting: MOST_WAITING,
    what: 'a page of the history',
  })
  return (accountId) => {
    async function inTurn<T>(read: () => Promise<T>): Promise<T> {
      const leave = await slots.take({ accountId, signal: new AbortController().signal })
      try {
        return await read()
      } finally {
        leave()
      }
    }
    return {
      query: (...asked) => inTurn(() => database.query(...asked)),
      transaction: (work) => inTurn(() => database.transaction(work)),
    }
  }
}
