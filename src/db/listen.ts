import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { cut, within } from './session.ts'

export type Listener = {
  /** True while no message can be missed. */
  isListening(): boolean
  /** Settles when listening began for the first time. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type ListenerSettings = {
  readonly database: Database
  /** Names the connection among those that the database shows. */
  readonly purpose: string
  readonly channel: string
  readonly onMessage: (payload: string) => void
  /** Messages may have been missed until now. */
  readonly onGap: () => void
  /** Waits before connecting again. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
  /** How often the server is asked whether it is still there, and how long it may take to answer. */
  readonly beatMs?: number
}

const RECONNECT_AFTER_MS = 500
// A connection that vanished without a word would miss announcements for hours: of keys that were revoked, for one.
const BEAT_MS = 5_000

/**
 * Hears what is announced on a channel (NOTIFY), on a connection of its own, and connects again for as long as it takes.
 * While there is none, `isListening` is false.
 */
export function listenTo(settings: ListenerSettings): Listener {
  const {
    database,
    purpose,
    channel,
    onMessage,
    onGap,
    pause = waitToReconnect,
    beatMs = BEAT_MS,
  } = settings
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
      await within(beatMs, client.query(`listen ${channel}`), () => cut(client))
      beat = setInterval(
        () =>
          void within(beatMs, client.query('select 1'), () => cut(client)).catch(() => cut(client)),
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
      // The database is away or was restarted; whoever needs it says so. Here it is only tried again.
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
