import type { Database } from '../db/database.ts'
import { listenTo, type Listener } from '../db/listen.ts'
import { announcedHashes, KEY_CHANNEL } from './announce.ts'

export type ChangeListener = Listener

export type ChangeListenerSettings = {
  readonly database: Database
  readonly onChange: (hashes: readonly string[]) => void
  /** Changes may have been missed until now: what was read before is not to be relied on. */
  readonly onGap: () => void
  /** Waits before connecting again. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

/** Hears of changed keys. While `isListening` is false, nothing that is read may be remembered. */
export function listenForChanges({
  database,
  onChange,
  onGap,
  pause,
}: ChangeListenerSettings): ChangeListener {
  return listenTo({
    database,
    purpose: 'keys',
    channel: KEY_CHANNEL,
    onMessage: (payload) => onChange(announcedHashes(payload)),
    onGap,
    ...(pause === undefined ? {} : { pause }),
  })
}
