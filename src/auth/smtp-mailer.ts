import { AppError } from '../errors/app-error.ts'
import { isThisMachine } from '../lib/this-machine.ts'
import { scrub } from '../upstream/scrub.ts'
import type { Mail, Mailer } from './auth-services.ts'

/** `from`: an address, or a name with an address in angle brackets. */
export type SmtpSettings = { readonly smtpUrl: string; readonly from: string }

export type SmtpMailer = Mailer & {
  /** Signs in to the server without sending. Throws AppError upstream_error. */
  verify(): Promise<void>
}

/** Timeouts of the connection, of the server's greeting, and of silence afterwards. */
export type SmtpTimeouts = {
  readonly connectMs: number
  readonly greetingMs: number
  readonly silenceMs: number
}
const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 60_000 }

/** Sends email through the operator's server, with one connection per email. */
export function createSmtpMailer({ smtpUrl, from }: SmtpSettings, timeouts = TIMEOUTS): SmtpMailer {
  const server = readServer(smtpUrl)
  const closing = new AbortController()

  // Loaded with the first email, because most processes send none.
  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.isSecure,
      // Connections within this machine need no encryption, and its certificates are rarely
      // verifiable.
      requireTLS: !server.isThisMachine,
      tls: { rejectUnauthorized: !server.isThisMachine },
      ...(server.user === '' ? {} : { auth: { user: server.user, pass: server.password } }),
      forceAuth: server.user !== '',
      connectionTimeout: timeouts.connectMs,
      dnsTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async function run(
    work: (transport: Awaited<ReturnType<typeof openTransport>>) => Promise<unknown>,
    secrets: readonly string[] = [],
  ): Promise<void> {
    try {
      await work(await openTransport())
    } catch (error) {
      throw new AppError(
        'upstream_error',
        `Sending email through ${server.host} failed: ${readReason(error, [...server.secrets, ...secrets])}`,
        { fix: "Check SMTP_URL, MAIL_FROM and the server's message." },
      )
    }
  }

  return {
    verify: () => run((transport) => transport.verify()),
    send: (mail) =>
      run(
        // An object is always one recipient. A text could be parsed as several.
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
    // Plain, and as sent (RFC 4616, and line by line).
    secrets:
      password === ''
        ? []
        : [`\0${user}\0${password}`, password].flatMap((secret) => [
            secret,
            Buffer.from(secret).toString('base64'),
          ]),
  }
}

/**
 * A server that refuses an email can quote its contents: links, and the values after "=" in them.
 */
function secretsOf({ text }: Mail): string[] {
  return [...text.matchAll(/=([^\s=&]+)/g)].map(([, value = '']) => value)
}

function readReason(error: unknown, secrets: readonly string[]): string {
  const { response, message } = error as { response?: unknown; message?: unknown }
  const words = typeof response === 'string' ? response : String(message)
  return scrub(words, secrets)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
}
