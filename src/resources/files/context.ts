import type { Database } from '../../db/database.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Links } from './link.ts'
import type { Store } from './store.ts'

export type FileLimits = { readonly maxFileBytes: number; readonly maxAccountBytes: number }

/** What the verbs of this folder work with. */
export type FileContext = {
  readonly database: Database
  readonly store: Store
  readonly links: Links
  readonly now: Clock
  readonly limits: FileLimits
  /** Where bytes arrive before they are known to be whole. */
  readonly incoming: string
}

/** How long a link works: downloads, and the upload of a slot. */
export const LINK_MS = HOUR_MS
