import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Slots } from '../../lib/fairness/fair-slots.ts'
import type { Tokens } from './tokens.ts'

export type GitDeps = {
  readonly database: Database
  readonly now: Clock
  /** The program `git`. */
  readonly program: string
  /** One bare repository per subfolder. */
  readonly folder: string
  readonly tokens: Tokens
  readonly publicUrl: string
  /** The most that a repository may contain after a push. */
  readonly maxBytes: number
  /** The most repositories per account. */
  readonly maxRepositories: number
  /** Limits the git processes that run concurrently. */
  readonly slots: Slots
}
