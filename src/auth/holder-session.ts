import type { Id } from '../lib/ids.ts'

/**
 * The result of a sign-in. The session is opened in the transaction that uses the proof, so a
 * concurrent end of all sessions either precedes it or includes it.
 */
export type HolderSession = {
  readonly accountId: Id
  /** The token for the browser's cookie. */
  readonly session: string
}
