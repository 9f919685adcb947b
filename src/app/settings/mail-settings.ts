import { createPrivateKey } from 'node:crypto'
import { StartError } from '../../errors/start-error.ts'
import { invalidSetting, type SettingsReader } from './settings-reader.ts'

/** No DNS has a name below localhost (RFC 6761), so these inboxes can never be those of another machine. */
export const LOCAL_MAIL_DOMAIN = 'inbox.localhost'
const LOCAL_MAIL_HOST = '127.0.0.1'

/** Email at the gateway's own domain. Secrets are never shown, logged or repeated in a message. */
export type MailSettings = {
  /** The domain of all inboxes, in lower case. */
  readonly domain: string
  /** MAIL_DOMAIN is not set: only programs of this machine can send to the inboxes. */
  readonly isLocal: boolean
  /** The address that the SMTP server listens on; null for all of them. */
  readonly host: string | null
  readonly port: number
  /** A folder with fullchain.pem and privkey.pem; null for a certificate that the gateway creates. */
  readonly certificateFolder: string | null
  /** Signs sent messages; null leaves that to the relay. */
  readonly dkim: { readonly selector: string; readonly privateKey: string } | null
  readonly maxMessageBytes: number
  /** The most that the received messages of one inbox may use. */
  readonly maxInboxBytes: number
  readonly retentionDays: number
  /** For messages that fail DMARC while the domain of their sender asks to reject them. */
  readonly forged: (typeof FORGED)[number]
  /** The most recipients that one account may send to within 24 hours. */
  readonly sendsPerDay: number
}

const FORGED = ['reject', 'store'] as const
const MEGABYTE = 1_000_000
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** MAIL_…; without MAIL_DOMAIN, those of a local domain. Throws StartError. */
export function readMailSettings(read: SettingsReader): MailSettings {
  const written = read.text('MAIL_DOMAIN', '')
  const settings = {
    domain: written.toLowerCase(),
    isLocal: false,
    host: read.text('MAIL_HOST', '') || null,
    port: read.integer('MAIL_PORT', 2525, 0, 65_535),
    certificateFolder: read.text('MAIL_TLS_FOLDER', '') || null,
    dkim: readDkim(read),
    maxMessageBytes: read.integer('MAIL_MESSAGE_MB', 20, 1, 50) * MEGABYTE,
    maxInboxBytes: read.integer('MAIL_INBOX_MB', 200, 1, 100_000) * MEGABYTE,
    forged: read.oneOf('MAIL_DMARC', FORGED, 'reject'),
    retentionDays: read.integer('MAIL_RETENTION_DAYS', 90, 1, 3_650),
    sendsPerDay: read.integer('MAIL_SENDS_PER_DAY', 200, 1, 1_000_000),
  }
  if (written === '')
    return {
      ...settings,
      domain: LOCAL_MAIL_DOMAIN,
      isLocal: true,
      host: LOCAL_MAIL_HOST,
      certificateFolder: null,
      dkim: null,
    }
  if (!DOMAIN.test(settings.domain))
    throw invalidSetting('MAIL_DOMAIN', written, 'a domain such as agents.example.com')
  return settings
}

function readDkim(read: SettingsReader): MailSettings['dkim'] {
  const selector = read.text('MAIL_DKIM_SELECTOR', 'tollgate')
  const privateKey = read.text('MAIL_DKIM_KEY', '')
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(selector))
    throw invalidSetting('MAIL_DKIM_SELECTOR', selector, 'a DNS label such as tollgate')
  if (privateKey === '') return null
  // Never repeated in the message: it is a secret.
  if (!isSigningKey(privateKey))
    throw new StartError(
      'MAIL_DKIM_KEY is invalid: it must be an RSA private key of at least 1024 bits in PEM format. Create one with "openssl genrsa 2048", and set MAIL_DKIM_KEY_FILE to its file.',
    )
  return { selector, privateKey }
}

function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024
  } catch {
    return false
  }
}
