import type { Database } from '../db/database.ts'
import { createSlots } from '../lib/fairness/fair-slots.ts'
import type { Id } from '../lib/ids.ts'

/** The part of a database that reading a history uses. */
export type HistoryDatabase = Pick<Database, 'query' | 'transaction'>

/** The database to use for reading an account's history. */
export type Histories = (accountId: Id) => HistoryDatabase

// A third of a process's connections. The rest stay available to calls and other requests.
const READ_AT_ONCE = 4
const MOST_WAITING = 1_000

/**
 * Histories are read a few at a time, alternating between accounts, so that an account with a
 * thousand concurrent requests or endless exports delays neither calls nor other readers. Rejects
 * with `rate_limited` when the account used its share of the queue.
 */
export function openHistories(database: HistoryDatabase): Histories {
  const slots = createSlots({
    places: READ_AT_ONCE,
    // Reads are short, and alternate.
    perAccount: READ_AT_ONCE,
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
      query: (...args) => inTurn(() => database.query(...args)),
      transaction: (work) => inTurn(() => database.transaction(work)),
    }
  }
}
