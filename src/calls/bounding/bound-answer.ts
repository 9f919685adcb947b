/** Shortens an answer to `max_chars` and stores the rest as files of the account, which expire with their links. */
import { createHash } from 'node:crypto'
import type { Output, StoredFile, StoreOutput } from '../../catalog/vocabulary/file-field.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Owner } from '../../lib/owner.ts'
import { cutData, type Cut } from './cut-data.ts'

/** More texts are stored together with the rest of the answer, in one file. */
const MOST_TEXT_FILES = 4
const CHARS_OF_LINE = 480
const STORE_LIMIT_MS = 15_000

export type Bound = {
  readonly maxChars: number
  /** The request that receives the answer. */
  readonly id: Id
  readonly owner: Owner
  /** The action, such as "core/onescrape". */
  readonly source: string
  /** Without it the rest is not stored. */
  readonly store: StoreOutput | undefined
}

type Envelope = { readonly data: Data } & Readonly<Record<string, unknown>>

/**
 * The envelope with at most `maxChars` characters. A shortened envelope has `truncated`: a line per
 * cut field with the stored file and the byte `offset` at which the rest begins. A file that cannot
 * be stored has `file_id: null` and an error. Never throws.
 */
export async function boundAnswer(bound: Bound, body: string): Promise<string> {
  if (body.length <= bound.maxChars) return body
  const { data, ...envelope } = JSON.parse(body) as Envelope
  const around = JSON.stringify(envelope).length + (MOST_TEXT_FILES + 1) * CHARS_OF_LINE
  const room = Math.max(bound.maxChars - around, Math.floor(bound.maxChars / 4))
  const cut = cutOrDrop(data, room)
  return JSON.stringify({
    ok: envelope['ok'],
    data: cut.data,
    truncated: await storeCuts(bound, data, cut.cuts),
    ...envelope,
  })
}

/** Data nested so deeply that it exhausts the stack is dropped as a whole. */
function cutOrDrop(data: Data, room: number): ReturnType<typeof cutData> {
  try {
    return cutData(data, room)
  } catch (error) {
    if (error instanceof RangeError) return { data: {}, cuts: [{ kind: 'all' }] }
    throw error
  }
}

async function storeCuts(bound: Bound, data: Data, cuts: readonly Cut[]): Promise<Data[]> {
  const texts = cuts.filter((cut) => cut.kind === 'text')
  if (texts.length === cuts.length && texts.length <= MOST_TEXT_FILES)
    return Promise.all(texts.map((cut) => storeText(bound, cut)))
  const file = await storeFile(bound, {
    place: 'data',
    filename: 'answer',
    mime: 'application/json',
    content: JSON.stringify(data),
  })
  const lists = cuts.filter((cut) => cut.kind === 'list').slice(0, MOST_TEXT_FILES)
  return [
    {
      field: 'data',
      offset: 0,
      ...(texts.length === 0 ? {} : { cut_texts: texts.length }),
      ...file,
    },
    ...lists.map(({ field, shown, total }) => ({ field, shown_items: shown, total_items: total })),
  ]
}

async function storeText(
  bound: Bound,
  { field, shown, text }: Extract<Cut, { kind: 'text' }>,
): Promise<Data> {
  const file = await storeFile(bound, {
    place: field,
    filename: 'text',
    mime: 'text/plain',
    content: text,
  })
  return {
    field: field.slice(0, 100),
    shown_chars: shown,
    total_chars: text.length,
    offset: Buffer.byteLength(text.slice(0, shown)),
    ...file,
  }
}

type Content = Pick<Output, 'filename' | 'mime' | 'content'> & { readonly place: string }

async function storeFile(
  { id, owner, source, store }: Bound,
  { place, content, mime, filename }: Content,
): Promise<Data> {
  if (store === undefined) return unstored('The rest is not stored.')
  const output = {
    owner,
    id: fileId(id, place),
    filename,
    mime,
    source,
    content: `data:${mime};base64,${Buffer.from(content).toString('base64')}`,
    isTemporary: true,
  }
  try {
    return lineOf(await store(output, AbortSignal.timeout(STORE_LIMIT_MS)))
  } catch (error) {
    return unstored(
      error instanceof AppError ? `${error.message} ${error.fix}` : 'The rest could not be stored.',
    )
  }
}

function lineOf({ file_id, size, get_url, expires_at }: StoredFile): Data {
  return { file_id, size, get_url, expires_at }
}

function unstored(message: string): Data {
  return { file_id: null, error: { message: message.slice(0, 300) } }
}

/** As old as the request, so that lists of files show it in order. */
function fileId(requestId: Id, place: string): Id {
  const digits = createHash('sha256').update(`${requestId} rest ${place}`).digest('hex')
  return `${requestId.slice(0, 12)}7${digits.slice(0, 3)}8${digits.slice(3, 18)}`
}
