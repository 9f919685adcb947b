import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { cutConnection, withTimeout } from './session.ts'

export type Listener = {
  /** True while no message can be missed. */
  isListening(): boolean
  /** Settles when listening first begins. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type ListenerDeps = {
  readonly database: Database
  /** The name of the connection in the database. */
  readonly purpose: string
  readonly channel: string
  readonly onMessage: (payload: string) => void
  /** Called when messages may have been missed. */
  readonly onGap: () => void
  /** Waits before connecting again. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
  /** The interval of the probes of the connection, and their timeout. */
  readonly beatMs?: number
}

const RECONNECT_AFTER_MS = 500
// A connection that disappeared silently would miss notifications for hours, such as revoked keys.
const BEAT_MS = 5_000

/**
 * Receives the notifications of a channel (NOTIFY) on a separate connection, and reconnects without
 * limit. `isListening` is false without a connection.
 */
export function listenTo(deps: ListenerDeps): Listener {
  const {
    database,
    purpose,
    channel,
    onMessage,
    onGap,
    pause = waitToReconnect,
    beatMs = BEAT_MS,
  } = deps
  const stop = new AbortController()
  const ready = Promise.withResolvers<void>()
  let listening = false

  async function listenOnce(): Promise<void> {
    const client = database.connect(purpose)
    const end = (): void => void client.end().catch(() => {})
    let beat: NodeJS.Timeout | undefined
    try {
      const ended = new Promise<void>((done) => client.once('end', () => done()))
      await client.connect()
      client.on('notification', ({ payload }) => onMessage(payload ?? ''))
      await withTimeout(beatMs, client.query(`listen ${channel}`), () => cutConnection(client))
      beat = setInterval(
        () =>
          void withTimeout(beatMs, client.query('select 1'), () => cutConnection(client)).catch(
            () => cutConnection(client),
          ),
        beatMs,
      )
      beat.unref()
      onGap()
      listening = true
      ready.resolve()
      if (stop.signal.aborted) end()
      else stop.signal.addEventListener('abort', end, { once: true })
      await ended
    } finally {
      clearInterval(beat)
      listening = false
      stop.signal.removeEventListener('abort', end)
      onGap()
      end()
    }
  }

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      // The database is away or was restarted. Other code reports that; this loop only retries.
      await listenOnce().catch(() => {})
      if (!stop.signal.aborted) await pause(stop.signal)
    }
  }

  const listened = listen()
  return {
    isListening: () => listening,
    ready: ready.promise,
    async close() {
      stop.abort()
      await listened
      ready.resolve()
    },
  }
}

async function waitToReconnect(signal: AbortSignal): Promise<void> {
  await delay(RECONNECT_AFTER_MS, undefined, { ref: false, signal }).catch(() => {})
}
