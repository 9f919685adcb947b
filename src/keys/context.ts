import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Caller } from './caller.ts'

/** Dependencies of the functions in this folder. */
export type KeyContext = {
  readonly database: Database
  readonly now: Clock
  /** Drops this process's cached entries of the secrets with these hashes. Other processes are notified by the database. */
  readonly forget: (hashes: readonly string[]) => void
}

/** The actor: the calling key, or a person or operator with the rights of the account's primary key. */
export type Actor = Pick<Caller, 'accountId' | 'mode' | 'primary' | 'scope'> &
  Partial<Pick<Caller, 'keyId'>>
