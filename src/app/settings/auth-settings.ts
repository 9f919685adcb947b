import { WELCOME_CREDITS_PER_DAY } from '../../accounts/welcome-credit.ts'
import { StartError } from '../../errors/start-error.ts'
import { isThisMachine } from '../../lib/machine/this-machine.ts'
import type { ProviderSettings } from '../../auth/oidc-provider.ts'
import type { SmtpSettings } from '../../auth/smtp-mailer.ts'
import { isDecodable } from './is-decodable.ts'
import type { SettingsReader } from './settings-reader.ts'

/** How people sign in, in addition to passwords and passkeys. Secrets are never shown, logged or repeated in a message. */
export type AuthSettings = {
  /** Whether anyone can create an account. */
  readonly signUp: boolean
  /** How many of those accounts receive welcome credit per day, over all processes. */
  readonly welcomeCreditsPerDay: number
  /** Null when no email is sent. */
  readonly mail: SmtpSettings | null
  /** An OpenID Connect provider; null for none. */
  readonly provider: ProviderSettings | null
}

/** SIGN_UP, WELCOME_CREDITS_PER_DAY, SMTP_URL, MAIL_FROM and OIDC_…. Throws StartError. */
export function readAuthSettings(read: SettingsReader): AuthSettings {
  const [mail, provider] = [readMail(read), readProvider(read)]
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], 'closed') === 'open'
  if (signUp && mail === null && provider === null)
    throw new StartError(
      'SIGN_UP=open needs SMTP_URL and MAIL_FROM, or OIDC_ISSUER: new accounts need a verified email address.',
    )
  return {
    signUp,
    welcomeCreditsPerDay: read.integer(
      'WELCOME_CREDITS_PER_DAY',
      WELCOME_CREDITS_PER_DAY,
      0,
      1_000_000,
    ),
    mail,
    provider,
  }
}

function readMail(read: SettingsReader): SmtpSettings | null {
  const [smtpUrl, from] = [read.text('SMTP_URL', ''), read.text('MAIL_FROM', '')]
  if (smtpUrl === '' && from === '') return null
  if (smtpUrl === '' || from === '')
    throw new StartError(
      `${smtpUrl === '' ? 'SMTP_URL' : 'MAIL_FROM'} must be set too: email needs a server and a sender.`,
    )
  // Never repeated in the message: it may hold a password.
  if (!isSmtpUrl(smtpUrl))
    throw new StartError(
      'SMTP_URL is invalid: it must look like smtp://user:password@host:587, or smtps:// with port 465. Write "%" in the password as %25.',
    )
  if (!/^[^\r\n]*@[^\r\n]+$/.test(from))
    throw new StartError(
      `MAIL_FROM="${from}" is invalid: it must be an address such as "Tollgate <tollgate@example.com>".`,
    )
  return { smtpUrl, from }
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (
    url === null ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^\/?$/.test(url.pathname + url.search + url.hash)
  )
    return false
  return isDecodable(url.username) && isDecodable(url.password)
}

const PROVIDER_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

function readProvider(read: SettingsReader): ProviderSettings | null {
  const missing = PROVIDER_VARIABLES.filter((name) => read.text(name, '') === '')
  if (missing.length === PROVIDER_VARIABLES.length) return null
  if (missing.length > 0)
    throw new StartError(
      `${missing.join(', ')} must be set too: an OpenID Connect provider needs all of ${PROVIDER_VARIABLES.join(', ')}.`,
    )
  const { protocol, hostname } = new URL(read.baseUrl('OIDC_ISSUER', ''))
  if (protocol === 'http:' && !isThisMachine(hostname))
    throw new StartError(
      'OIDC_ISSUER must be an https URL: with http an attacker on the network could sign in as anyone. For development, http is allowed on this machine.',
    )
  // As written: a trailing slash is part of the issuer's name.
  const issuer = read.text('OIDC_ISSUER', '')
  return {
    issuer,
    clientId: read.text('OIDC_CLIENT_ID', ''),
    clientSecret: read.text('OIDC_CLIENT_SECRET', ''),
    name: read.text('OIDC_NAME', hostname),
  }
}
