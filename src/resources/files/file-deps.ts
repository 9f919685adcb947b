import type { Database } from '../../db/database.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import type { Links } from './link.ts'
import type { Store } from './store.ts'

export type FileLimits = { readonly maxFileBytes: number; readonly maxAccountBytes: number }

/** Dependencies of this folder's functions. */
export type FileDeps = {
  readonly database: Database
  readonly store: Store
  readonly links: Links
  readonly now: Clock
  readonly limits: FileLimits
  /** The folder for uploads in progress. */
  readonly incoming: string
}

/** How long a link is valid, for a download or an upload. */
export const LINK_MS = HOUR_MS
