import { createAccountWithin, type CreatedAccount } from '../accounts/create-account.ts'
import { WELCOME_CREDITS_PER_DAY } from '../accounts/welcome-credit.ts'
import type { Transaction } from '../db/database.ts'
import { invariant } from '../errors/app-error.ts'
import { parsePublicId } from '../lib/ids.ts'
import type { HolderSession } from './holder-session.ts'

/** `created`: the account that was made just now, with the secrets of its first keys, which are told this once. */
export type SignInOutcome = HolderSession & { readonly created: CreatedAccount | null }

export type SignUpTerms = {
  /** How many accounts of strangers are given welcome credit in a day, over all processes; WELCOME_CREDITS_PER_DAY when left out. */
  readonly welcomeCreditsPerDay?: number
}

/** What else is done in the transaction that lets somebody in. */
export type Alongside = (tx: Transaction, entered: SignInOutcome) => Promise<void>

export type SignUpRequest = SignUpTerms & { readonly email: string; readonly nowMs: number }

/** Makes the account of a stranger who showed to read the mail of `email`. Throws AppError email_taken. */
export async function signUp(
  tx: Transaction,
  { email, nowMs, welcomeCreditsPerDay = WELCOME_CREDITS_PER_DAY }: SignUpRequest,
): Promise<Omit<SignInOutcome, 'session'>> {
  const created = await createAccountWithin(
    tx,
    { email, tier: 'personal', welcomeCreditsPerDay },
    nowMs,
  )
  const accountId = parsePublicId('account', created.account.id)
  invariant(accountId !== null, 'an account has a public id of its kind')
  return { accountId, created }
}
