import { Readable } from 'node:stream'
import { scrub } from '../../../upstream/scrub.ts'
import {
  openSmtpTransport,
  readSmtpReason,
  readSmtpServer,
  type SmtpTimeouts,
} from '../../../upstream/smtp-server-url.ts'

/** The operator's SMTP server, which delivers sent messages. */
export type Relay = {
  send(message: OutgoingMessage): Promise<RelayOutcome>
}

export type OutgoingMessage = {
  /** The envelope's sender, which receives delivery reports. */
  readonly sender: string
  readonly recipients: readonly string[]
  /** The whole message, with its header. */
  readonly raw: Buffer
}

export type RejectedRecipient = {
  readonly recipient: string
  readonly status: string
  readonly reason: string
}

export type RelayOutcome =
  /** The relay is responsible for the message. It may have refused some recipients. */
  | { readonly kind: 'accepted'; readonly rejected: readonly RejectedRecipient[] }
  /** The message was certainly not sent. `isPermanent`: the relay rejects it every time. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly isPermanent: boolean }
  /** The connection ended after the whole message and before the relay's answer. */
  | { readonly kind: 'unknown' }

/** The answer of a call comes within 30 seconds. */
export type RelayTimeouts = SmtpTimeouts & { readonly wholeMs: number }
const TIMEOUTS: RelayTimeouts = {
  connectMs: 8_000,
  greetingMs: 8_000,
  silenceMs: 20_000,
  wholeMs: 25_000,
}

type SmtpError = {
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
}

/** Sends through the server in SMTP_URL, with one connection per message. */
export function createRelay(smtpUrl: string, timeouts: RelayTimeouts = TIMEOUTS): Relay {
  const server = readSmtpServer(smtpUrl)
  const wordsOf = (error: unknown): string =>
    readSmtpReason(error, (words) => scrub(words, [...server.secrets])).slice(0, 500)

  return {
    async send({ sender, recipients, raw }) {
      // The end of the message follows the last piece. It can be read before the command is sent.
      let [isStarted, isWhole] = [false, false]
      const content = Readable.from(
        (function* pieces() {
          yield raw
          isWhole = true
        })(),
      )
      const transport = await openSmtpTransport(server, timeouts, (line) => {
        isStarted ||= line === 'DATA'
      })
      try {
        const { rejectedErrors = [] } = (await transport.sendMail({
          envelope: { from: sender, to: [...recipients] },
          raw: content,
          signal: AbortSignal.timeout(timeouts.wholeMs),
        })) as { readonly rejectedErrors?: readonly SmtpError[] }
        return {
          kind: 'accepted',
          rejected: rejectedErrors.map((error) => ({
            recipient: error.recipient ?? '',
            status: String(error.responseCode ?? ''),
            reason: wordsOf(error),
          })),
        }
      } catch (error) {
        const { responseCode } = error as SmtpError
        if (responseCode === undefined && isStarted && isWhole) return { kind: 'unknown' }
        return {
          kind: 'rejected',
          reason: wordsOf(error),
          isPermanent: responseCode !== undefined && responseCode >= 500,
        }
      } finally {
        transport.close()
      }
    },
  }
}
