import type { Database } from '../../db/database.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../lib/clock.ts'
import { Attempts, type AttemptLimits } from '../attempts.ts'
import type { Mailer } from '../auth-services.ts'

export type InviteDeps = {
  readonly database: Database
  readonly now: Clock
  readonly publicUrl: string
  /** Null: the gateway sends no email, so links are shown. */
  readonly mailer: Mailer | null
  /** Count emailed invitations, so that the gateway cannot be used to bother people. */
  readonly sentInDay: Attempts
  readonly sentInHour: Attempts
}

/** Emailed invitations of an account per day and process. Revoked ones count. */
export const INVITATIONS_OF_ACCOUNT = {
  byAccount: 20,
  windowMs: DAY_MS,
} as const satisfies AttemptLimits

/** Emailed invitations per hour and process: of one account and network, to one address and in total. */
export const INVITATION_EMAILS = {
  byAccount: INVITATIONS_OF_ACCOUNT.byAccount,
  fromAddress: 40,
  each: 2,
  forEmail: 3,
  inAll: 200,
  windowMs: HOUR_MS,
} as const satisfies AttemptLimits

export function createInviteDeps(deps: Omit<InviteDeps, 'sentInDay' | 'sentInHour'>): InviteDeps {
  return {
    ...deps,
    sentInDay: new Attempts(INVITATIONS_OF_ACCOUNT, deps.now),
    sentInHour: new Attempts(INVITATION_EMAILS, deps.now),
  }
}
