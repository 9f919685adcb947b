import { AppError } from '../errors/app-error.ts'
import { scrub } from '../upstream/scrub.ts'
import {
  openSmtpTransport,
  readSmtpReason,
  readSmtpServer,
  type SmtpTimeouts,
} from '../upstream/smtp-server-url.ts'
import type { Mail, Mailer } from './auth-services.ts'

/** `from`: an address, or a name with an address in angle brackets. */
export type SmtpSettings = { readonly smtpUrl: string; readonly from: string }

export type SmtpMailer = Mailer & {
  /** Signs in to the server without sending. Throws AppError upstream_error. */
  verify(): Promise<void>
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 60_000 }

/** Sends email through the operator's server, with one connection per email. */
export function createSmtpMailer({ smtpUrl, from }: SmtpSettings, timeouts = TIMEOUTS): SmtpMailer {
  const server = readSmtpServer(smtpUrl)
  const closing = new AbortController()

  async function run(
    work: (transport: Awaited<ReturnType<typeof openSmtpTransport>>) => Promise<unknown>,
    secrets: readonly string[] = [],
  ): Promise<void> {
    try {
      await work(await openSmtpTransport(server, timeouts))
    } catch (error) {
      throw new AppError(
        'upstream_error',
        `Sending email through ${server.host} failed: ${readSmtpReason(error, (words) => scrub(words, [...server.secrets, ...secrets]))}`,
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

/**
 * A server that refuses an email can quote its contents: links, and the values after "=" in them.
 */
function secretsOf({ text }: Mail): string[] {
  return [...text.matchAll(/=([^\s=&]+)/g)].map(([, value = '']) => value)
}
