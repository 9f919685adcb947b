import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { SecretBox } from './secrets.ts'

export type WebhookDeps = {
  readonly database: Database
  readonly now: Clock
  readonly guard: Pick<Guard, 'checkUrl'>
  readonly secrets: SecretBox
  /** Whether the gateway can send email. */
  readonly sendsEmail: boolean
}
