import type { Database } from '../db/database.ts'
import { listenTo, type Listener } from '../db/listen.ts'
import { announcedChanges, KEY_CHANNEL } from './announce.ts'

export type ChangeListener = Listener

export type ChangeListenerDeps = {
  readonly database: Database
  readonly onChange: (changes: readonly string[]) => void
  /** Called when changes may have been missed: everything cached so far must be dropped. */
  readonly onGap: () => void
  /** Waits before reconnecting. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

/** Receives key changes. While `isListening` is false, nothing may be cached. */
export function listenForChanges({
  database,
  onChange,
  onGap,
  pause,
}: ChangeListenerDeps): ChangeListener {
  return listenTo({
    database,
    purpose: 'keys',
    channel: KEY_CHANNEL,
    onMessage: (payload) => onChange(announcedChanges(payload)),
    onGap,
    ...(pause === undefined ? {} : { pause }),
  })
}
