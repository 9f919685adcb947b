import type { Database } from '../../db/database.ts'
import { listenTo, type Listener } from '../../db/listen.ts'
import { newId } from '../../lib/ids.ts'

const CHANNEL = 'tollgate_capacity'

/** Messages between the processes about calls that wait for money. */
export type Exchange = {
  /** Distinguishes this process. */
  readonly self: string
  /** No call waits for a message. A lost one costs a look. */
  send(message: string): void
  listen(receive: (message: string) => void, onGap: () => void): void
  /** Settles when listening begins. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export function openExchange(database: Database, nowMs: number): Exchange {
  let listener: Listener | undefined
  const ready = Promise.withResolvers<void>()
  return {
    self: newId(nowMs),
    ready: ready.promise,
    send(message) {
      database
        .query(
          "select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)",
          [CHANNEL, message],
          'announce_waiting',
        )
        .catch(() => {})
    },
    listen(onMessage, onGap) {
      listener = listenTo({ database, purpose: 'capacity', channel: CHANNEL, onMessage, onGap })
      void listener.ready.then(ready.resolve)
    },
    close: async () => listener?.close(),
  }
}

/** For a process without others. */
export const NO_EXCHANGE: Exchange = {
  self: '',
  send: () => {},
  listen: () => {},
  ready: Promise.resolve(),
  close: async () => {},
}
