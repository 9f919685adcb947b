import { createAccountWithin, type CreatedAccount } from '../accounts/create-account.ts'
import { WELCOME_CREDITS_PER_DAY } from '../accounts/welcome-credit.ts'
import type { Transaction } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { PersonSession } from './records/browser-session.ts'
import { findPerson } from './records/find-person.ts'

/** `created`: a new account, with the secrets of its first keys, which are only shown now. */
export type SignInOutcome = PersonSession & { readonly created: CreatedAccount | null }

export type SignUpTerms = {
  /**
   * New accounts with welcome credit per day, over all processes. Default WELCOME_CREDITS_PER_DAY.
   */
  readonly welcomeCreditsPerDay?: number
}

/** The person who signs in, and their new account if there is one. */
export type SignedUp = { readonly personId: Id; readonly created: CreatedAccount | null }

/** Further work in the transaction of a sign-in. */
export type Alongside = (tx: Transaction, entered: SignInOutcome) => Promise<void>

export type SignUpRequest = SignUpTerms & { readonly email: string; readonly nowMs: number }

/** Creates an account for the verified address `email`. Throws AppError email_taken. */
export async function signUp(
  tx: Transaction,
  { email, nowMs, welcomeCreditsPerDay = WELCOME_CREDITS_PER_DAY }: SignUpRequest,
): Promise<SignedUp> {
  const created = await createAccountWithin(
    tx,
    { email, tier: 'personal', welcomeCreditsPerDay },
    nowMs,
  )
  const { personId } = await findPerson(tx, email)
  invariant(personId !== null, 'an account has an owner with its address')
  return { personId, created }
}
