import { WELCOME_CREDITS_PER_DAY } from '../../accounts/welcome-credit.ts'
import { StartError } from '../../errors/start-error.ts'
import { isThisMachine } from '../../lib/this-machine.ts'
import type { ProviderSettings } from '../../auth/oidc-provider.ts'
import type { SmtpSettings } from '../../auth/smtp-mailer.ts'
import type { SettingsReader } from './settings-reader.ts'

/** How people sign in, beside passwords and passkeys. Secrets are never shown, logged or repeated in a message. */
export type PeopleSettings = {
  /** Whether strangers may make an account, with its welcome credit. */
  readonly signUp: boolean
  /** How many of those accounts are given it in a day, over all processes. */
  readonly welcomeCreditsPerDay: number
  /** Null: no mail is sent. */
  readonly mail: SmtpSettings | null
  /** A provider that vouches for people (OpenID Connect). Null: there is none. */
  readonly provider: ProviderSettings | null
}

/** SIGN_UP, WELCOME_CREDITS_PER_DAY, SMTP_URL, MAIL_FROM and OIDC_…. Throws StartError. */
export function readPeopleSettings(read: SettingsReader): PeopleSettings {
  const [mail, provider] = [readMail(read), readProvider(read)]
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], 'closed') === 'open'
  if (signUp && mail === null && provider === null)
    throw new StartError(
      'SIGN_UP=open needs SMTP_URL and MAIL_FROM, or OIDC_ISSUER: an account is made only for an address that somebody vouches for.',
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
      `${smtpUrl === '' ? 'SMTP_URL' : 'MAIL_FROM'} must be set too: mail needs a server and a sender.`,
    )
  // Never repeated in the message: it may hold a password.
  if (!isSmtpUrl(smtpUrl))
    throw new StartError(
      'SMTP_URL is not understood: it must look like smtp://user:password@host:587, or smtps:// with port 465; "%" in the password is written as %25.',
    )
  if (!/^[^\r\n]*@[^\r\n]+$/.test(from))
    throw new StartError(
      `MAIL_FROM="${from}" is not understood: it must be an address such as "Tollgate <tollgate@example.com>".`,
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

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const PROVIDER_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

function readProvider(read: SettingsReader): ProviderSettings | null {
  const missing = PROVIDER_VARIABLES.filter((name) => read.text(name, '') === '')
  if (missing.length === PROVIDER_VARIABLES.length) return null
  if (missing.length > 0)
    throw new StartError(
      `${missing.join(', ')} must be set too: a provider is asked with all of ${PROVIDER_VARIABLES.join(', ')}.`,
    )
  const { protocol, hostname } = new URL(read.baseUrl('OIDC_ISSUER', ''))
  if (protocol === 'http:' && !isThisMachine(hostname))
    throw new StartError(
      'OIDC_ISSUER must be an https address: whoever stood in between could sign in as anybody. Over http it may name this machine alone, for development.',
    )
  // As it was written: a slash at its end is a part of its name.
  const issuer = read.text('OIDC_ISSUER', '')
  return {
    issuer,
    clientId: read.text('OIDC_CLIENT_ID', ''),
    clientSecret: read.text('OIDC_CLIENT_SECRET', ''),
    name: read.text('OIDC_NAME', hostname),
  }
}
