import type { PasswordCost } from './password.ts'

/** What signing in needs beside the database. */
export type AuthServices = {
  /** Whether strangers may make an account. */
  readonly signUp: boolean
  /** How many accounts that strangers make are given welcome credit in a day, over all processes. */
  readonly welcomeCreditsPerDay: number
  /** Tests hash passwords at a lower cost. */
  readonly passwordCost?: PasswordCost | undefined
  /** Null: no mail is sent. */
  readonly mailer: Mailer | null
  /** Null: nobody else vouches for people. */
  readonly provider: Provider | null
}

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Mailer = {
  /** Resolves when the server has taken the mail. Throws AppError upstream_error. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** An OpenID Connect provider. A round trip to it begins and ends in the same browser. */
export type Provider = {
  readonly name: string
  /** Where the browser is sent, and what must be kept until it comes back. Throws AppError upstream_error. */
  begin(redirectUrl: string): Promise<{ readonly url: string; readonly kept: RoundTrip }>
  /** Who came back to `url`, the whole address with its query. Throws AppError sign_in_refused, upstream_error. */
  finish(url: string, kept: RoundTrip): Promise<Identity>
}

export type RoundTrip = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUrl: string
}

/** Somebody as the provider knows them. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
}
