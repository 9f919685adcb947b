import type { Clock } from '../../../lib/clock.ts'
import { toLine } from '../../../lib/escapes.ts'

/** A message to send. Addresses are single ones without names. */
export type Draft = {
  readonly inbox: string
  readonly displayName: string | null
  readonly messageId: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** Signs as MAIL_DOMAIN; null leaves that to the relay. */
export type SigningKey = { readonly selector: string; readonly privateKey: string }

export type Compose = (draft: Draft) => Promise<Buffer>

/** Writes messages in MIME, with a DKIM signature. No field can add a line to the header. */
export function createCompose(domain: string, key: SigningKey | null, now: Clock): Compose {
  return async (draft) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(key === null
        ? {}
        : {
            dkim: { domainName: domain, keySelector: key.selector, privateKey: key.privateKey },
          }),
    })
    const { message } = await transport.sendMail({
      from: { name: toLine(draft.displayName ?? ''), address: draft.inbox },
      to: draft.to.map((address) => ({ name: '', address })),
      subject: toLine(draft.subject),
      date: new Date(now()),
      messageId: draft.messageId,
      ...(draft.inReplyTo === null ? {} : { inReplyTo: draft.inReplyTo }),
      ...(draft.references.length === 0 ? {} : { references: [...draft.references] }),
      ...(draft.text === undefined ? {} : { text: toLines(draft.text) }),
      ...(draft.html === undefined ? {} : { html: toLines(draft.html) }),
    })
    return message as Buffer
  }
}

/** Servers disagree about a single CR, so one could end the message early (SMTP smuggling). */
function toLines(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, '\r\n')
}
