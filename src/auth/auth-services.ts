import type { PasswordCost } from './password.ts'

/** The services and settings of sign-in. */
export type AuthServices = {
  /** Whether strangers can create an account. */
  readonly signUp: boolean
  /** New accounts with welcome credit per day, over all processes. */
  readonly welcomeCreditsPerDay: number
  /** Tests hash passwords at a lower cost. */
  readonly passwordCost?: PasswordCost | undefined
  /** Null: the gateway sends no email. */
  readonly mailer: Mailer | null
  /** Null: no provider is configured. */
  readonly provider: Provider | null
}

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type Mailer = {
  /** Resolves when the server has accepted the email. Throws AppError upstream_error. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** An OpenID Connect provider. A round trip to it begins and ends in the same browser. */
export type Provider = {
  readonly name: string
  readonly issuer: string
  /**
   * The URL for the browser, and the state to store until it returns. Throws AppError
   * upstream_error.
   */
  begin(redirectUrl: string): Promise<{ readonly url: string; readonly roundTrip: RoundTrip }>
  /**
   * The identity of the browser that returned to `url`, with its query. Throws AppError
   * sign_in_refused, upstream_error.
   */
  finish(url: string, roundTrip: RoundTrip): Promise<Identity>
}

export type RoundTrip = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUrl: string
}

/** A person's identity at the provider. */
export type Identity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly isEmailVerified: boolean
}
