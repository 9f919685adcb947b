import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Caller } from './caller.ts'

/** What the verbs of this folder work with. */
export type KeyContext = {
  readonly database: Database
  readonly now: Clock
  /** Drops what this process remembers of the secrets with these hashes; the other processes hear it from the database. */
  readonly forget: (hashes: readonly string[]) => void
}

/** On whose behalf: the calling key, or a person or operator who acts as the account's primary key does. */
export type Actor = Pick<Caller, 'accountId' | 'mode' | 'primary' | 'scope'> &
  Partial<Pick<Caller, 'keyId'>>
