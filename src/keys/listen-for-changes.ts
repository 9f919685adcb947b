import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { announcedHashes, KEY_CHANNEL } from './announce.ts'

export type ChangeListener = {
  /** True while no change can be missed. */
  isListening(): boolean
  /** Settles when listening began for the first time. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type ChangeListenerSettings = {
  readonly database: Database
  readonly onChange: (hashes: readonly string[]) => void
  /** Changes may have been missed until now: what was read before is not to be relied on. */
  readonly onGap: () => void
  /** Waits before connecting again. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

const RECONNECT_AFTER_MS = 500

/**
 * Hears of changed keys on a connection of its own, and connects again for as long as it takes.
 * While there is none, `isListening` is false: nothing that is read now may be remembered.
 */
export function listenForChanges(settings: ChangeListenerSettings): ChangeListener {
  const { database, onChange, onGap, pause = waitToReconnect } = settings
  const stop = new AbortController()
  const ready = Promise.withResolvers<void>()
  let listening = false

  async function listenOnce(): Promise<void> {
    const client = database.connect('keys')
    const end = (): void => void client.end().catch(() => {})
    try {
      const ended = new Promise<void>((done) => client.once('end', () => done()))
      await client.connect()
      client.on('notification', ({ payload }) => onChange(announcedHashes(payload ?? '')))
      await client.query(`listen ${KEY_CHANNEL}`)
      onGap()
      listening = true
      ready.resolve()
      if (stop.signal.aborted) end()
      else stop.signal.addEventListener('abort', end, { once: true })
      await ended
    } finally {
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
