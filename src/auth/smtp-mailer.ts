import { AppError } from '../errors/app-error.ts'
import { isThisMachine } from '../lib/this-machine.ts'
import { scrub } from '../upstream/scrub.ts'
import type { Mail, Mailer } from './auth-services.ts'

/** `from`: an address, or a name with one in angle brackets. */
export type SmtpSettings = { readonly smtpUrl: string; readonly from: string }

export type SmtpMailer = Mailer & {
  /** Signs in at the server and sends nothing. Throws AppError upstream_error. */
  verify(): Promise<void>
}

/** How long the server may take to be reached, to verify, and to say anything at all later on. */
export type SmtpTimeouts = {
  readonly connectMs: number
  readonly greetingMs: number
  readonly silenceMs: number
}
const PATIENCE: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 60_000 }

/** Mail by the operator's server, over a connection of its own for each. */
export function createSmtpMailer({ smtpUrl, from }: SmtpSettings, patience = PATIENCE): SmtpMailer {
  const server = readServer(smtpUrl)
  const closing = new AbortController()

  // Loaded at the first mail: most processes send none.
  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.isSecure,
      // Between programs of one machine nobody listens, and certificates there are rarely ones that can be verified.
      requireTLS: !server.isThisMachine,
      tls: { rejectUnauthorized: !server.isThisMachine },
      ...(server.user === '' ? {} : { auth: { user: server.user, pass: server.password } }),
      forceAuth: server.user !== '',
      connectionTimeout: patience.connectMs,
      dnsTimeout: patience.connectMs,
      greetingTimeout: patience.greetingMs,
      socketTimeout: patience.silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async function told(
    work: (transport: Awaited<ReturnType<typeof openTransport>>) => Promise<unknown>,
    secrets: readonly string[] = [],
  ): Promise<void> {
    try {
      await work(await openTransport())
    } catch (error) {
      throw new AppError(
        'upstream_error',
        `Mail by ${server.host} failed: ${wordsOf(error, [...server.secrets, ...secrets])}`,
        { fix: 'Look at SMTP_URL and MAIL_FROM, and at what the server says.' },
      )
    }
  }

  return {
    verify: () => told((transport) => transport.verify()),
    send: (mail) =>
      told(
        // One recipient, whatever the address looks like: as a text it could be read as several.
        (transport) =>
          transport.sendMail({
            from,
            to: { name: '', address: mail.to },
            subject: mail.subject,
            text: mail.text,
            headers: { 'Auto-Submitted': 'auto-generated' },
            signal: closing.signal,
          }),
        secretsOf(mail),
      ),
    close: () => closing.abort(),
  }
}

const PLAIN_PORT = 587
const SECURE_PORT = 465

function readServer(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = url.protocol === 'smtps:'
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return {
    host,
    port: url.port === '' ? (isSecure ? SECURE_PORT : PLAIN_PORT) : Number(url.port),
    isSecure,
    isThisMachine: isThisMachine(url.hostname),
    user,
    password,
    // As they are, and as they are sent (RFC 4616, and line by line).
    secrets:
      password === ''
        ? []
        : [`\0${user}\0${password}`, password].flatMap((secret) => [
            secret,
            Buffer.from(secret).toString('base64'),
          ]),
  }
}

/** Servers that refuse a mail for its contents may repeat some of them: its links, and what stands behind the "=" of one. */
function secretsOf({ text }: Mail): string[] {
  return [...text.matchAll(/=([^\s=&]+)/g)].map(([, value = '']) => value)
}

function wordsOf(error: unknown, secrets: readonly string[]): string {
  const { response, message } = error as { response?: unknown; message?: unknown }
  const words = typeof response === 'string' ? response : String(message)
  return scrub(words, secrets)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
}
