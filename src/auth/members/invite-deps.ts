import type { Database } from '../../db/database.ts'
import { HOUR_MS, type Clock } from '../../lib/clock.ts'
import { Attempts, type AttemptLimits } from '../attempts.ts'
import type { Mailer } from '../auth-services.ts'

export type InviteDeps = {
  readonly database: Database
  readonly now: Clock
  readonly publicUrl: string
  /** Null: the gateway sends no email, so links are shown. */
  readonly mailer: Mailer | null
  /** Counts emailed invitations, so that the gateway cannot be used to bother people. */
  readonly sent: Attempts
}

/** Emailed invitations per hour and process, to one address and in total. */
export const INVITATION_EMAILS = {
  forEmail: 3,
  inAll: 200,
  windowMs: HOUR_MS,
} as const satisfies AttemptLimits

export function createInviteDeps(deps: Omit<InviteDeps, 'sent'>): InviteDeps {
  return { ...deps, sent: new Attempts(INVITATION_EMAILS, deps.now) }
}
