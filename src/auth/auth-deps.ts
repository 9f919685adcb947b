import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { PasswordCost } from './password.ts'

export type AuthDeps = {
  readonly database: Database
  readonly now: Clock
  /** Tests hash passwords at a lower cost. */
  readonly passwordCost?: PasswordCost | undefined
}
