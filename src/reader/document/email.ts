import { repairEncodedWords, type Repair } from './encoded-words.ts'
import {
  DocumentFault,
  NO_METADATA,
  orNull,
  toTime,
  type EmailFacts,
  type OpenDocument,
} from './document.ts'
import { element, escapeHtml, heading } from './markup.ts'

type Mailbox = {
  readonly name?: string
  readonly address?: string
  readonly group?: readonly Mailbox[]
}
/** The part of postal-mime's result that is used here. */
type Parsed = {
  readonly subject?: string
  readonly from?: Mailbox
  readonly to?: readonly Mailbox[]
  readonly cc?: readonly Mailbox[]
  readonly date?: string
  readonly messageId?: string
  readonly html?: string
  readonly text?: string
  readonly attachments: readonly {
    readonly filename: string | null
    readonly mimeType: string
    readonly content: ArrayBuffer | Uint8Array | string
  }[]
}
type PostalMime = {
  decodeWords(text: string): string
  readonly default: {
    parse(bytes: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Parsed>
  }
}

/** Loaded with the first email. */
const PARSER: string = 'postal-mime'

/** Opens an email: its subject as heading, then its HTML or plain text. */
export async function openEmail(bytes: Uint8Array): Promise<OpenDocument> {
  const { default: parser, decodeWords } = (await import(PARSER)) as PostalMime
  const email = await parser
    .parse(bytes, { maxNestingDepth: 50, forceRfc822Attachments: false })
    .catch(() => {
      throw new DocumentFault('broken', 'The email cannot be parsed.')
    })
  const repair = repairEncodedWords(bytes, decodeWords)
  const subject = orNull(repair(email.subject ?? ''))
  const facts = factsOf(email, repair)
  return {
    kind: 'email',
    metadata: {
      ...NO_METADATA,
      title: subject,
      author: facts.from,
      created_at: facts.date,
    },
    unit: null,
    pageCount: null,
    parts: [heading(1, escapeHtml(subject ?? '')) + bodyOf(email)],
    email: facts,
  }
}

function factsOf(email: Parsed, repair: Repair): EmailFacts {
  return {
    from: email.from === undefined ? null : (mailboxes([email.from], repair)[0] ?? null),
    to: mailboxes(email.to ?? [], repair),
    cc: mailboxes(email.cc ?? [], repair),
    date: toTime(email.date),
    message_id: orNull(email.messageId),
    attachments: email.attachments.slice(0, 200).map(({ filename, mimeType, content }) => ({
      filename: orNull(repair(filename ?? '')),
      mime: mimeType,
      size: typeof content === 'string' ? content.length : content.byteLength,
    })),
  }
}

function mailboxes(list: readonly Mailbox[], repair: Repair): string[] {
  return list
    .flatMap((one) => one.group ?? [one])
    .map(({ name = '', address = '' }) =>
      (name === '' || name === address ? address : `${repair(name)} <${address}>`).trim(),
    )
    .filter((text) => text !== '')
    .slice(0, 200)
}

function bodyOf({ html, text }: Parsed): string {
  return html !== undefined && html.trim() !== '' ? html : textToHtml(text ?? '')
}

/** Blank lines separate paragraphs, and lines that begin with ">" are quotes. */
function textToHtml(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split('\n').filter((line) => line.trim() !== '')
      const isQuote = lines.length > 0 && lines.every((line) => line.startsWith('>'))
      const html = lines
        .map((line) => escapeHtml(isQuote ? line.replace(/^[> ]+/, '') : line))
        .join('<br>')
      return element(isQuote ? 'blockquote' : 'p', html)
    })
    .join('\n')
}
