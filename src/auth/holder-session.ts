import type { Id } from '../lib/ids.ts'

/** Where a way in leads. The session is opened in the transaction that takes the proof: what ends all sessions waits for it and ends it too, or is there first. */
export type HolderSession = {
  readonly accountId: Id
  /** The token for the cookie of the browser. */ readonly session: string
}
