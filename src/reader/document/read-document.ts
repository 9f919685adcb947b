import { extname } from 'node:path'
import { restOf, type TextRest } from '../../catalog/vocabulary/text-rest.ts'
import { withAddressParam } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { createUnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import { owing } from '../../catalog/prices/processor-time.ts'
import { isSharedAccount, type Owner } from '../../lib/owner.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PageGetter } from '../fetch/get.ts'
import { cutText } from './cut-text.ts'
import { isAtStart, type PageFailure } from '../fetch/page-failure.ts'
import type { DocumentMetadata, EmailFacts, FaultCode, ReadDocument } from './document.ts'
import type { DocumentSandbox } from './sandbox.ts'

export type DocumentInput = {
  readonly url?: string
  readonly file_id?: string
  readonly max_pages: number
  readonly max_chars: number
}
export type DocumentCall = Owner & { readonly signal: AbortSignal; readonly timeoutMs: number }
export type DocumentReply = DocumentMetadata & {
  readonly url: string | null
  readonly file_id: string | null
  readonly kind: ReadDocument['kind']
  readonly bytes: number
  readonly page_unit: ReadDocument['unit']
  readonly page_count: number | null
  readonly pages_read: number | null
  readonly content: string
  readonly chars: number
  readonly truncated: boolean
  readonly omitted: readonly string[]
  /** The whole text, if `max_chars` cut it. */
  readonly rest?: TextRest
  readonly email?: EmailFacts
}
export type StoredFile = {
  readonly bytes: Buffer
  readonly filename: string
  readonly mime: string
}
/** Reads a stored file of the owner. Throws `unknown_file`, also for another account's file, and `file_too_large`. */
export type ReadStoredFile = (owner: Owner, fileId: string, maxBytes: number) => Promise<StoredFile>

export type DocumentDeps = {
  readonly getter: PageGetter
  readonly sandbox: DocumentSandbox
  readonly now: Clock
}
export type DocumentReader = (
  input: DocumentInput,
  call: DocumentCall,
  readFile: ReadStoredFile,
) => Promise<DocumentReply>

export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
/** The longest text of a document, with the part that `max_chars` cuts. */
const MAX_DOCUMENT_CHARS = 2_000_000
/** The bytes of all documents in memory. */
const MAX_BYTES_IN_MEMORY = 8 * MAX_DOCUMENT_BYTES
/** CPU time for documents of one account that cannot be read, within an hour. */
const MOST_UNPAID_MS = 120_000
/** Time that remains for parsing after the download. */
const PARSING_MS = 65_000

const FAULTS: Readonly<Record<FaultCode, ErrorCode>> = {
  encrypted: 'document_encrypted',
  without_text: 'document_without_text',
  unsupported: 'document_unsupported',
  broken: 'document_unreadable',
  too_complex: 'document_unreadable',
}

type Source = StoredFile & { readonly url: string | null }

/**
 * Reads a document from the web or from the account's files as Markdown. Throws AppError for every
 * document that cannot be read. It owes the processor time that reading it took.
 */
export function createDocumentReader({ getter, sandbox, now }: DocumentDeps): DocumentReader {
  const capacity = new SharedCapacity(MAX_BYTES_IN_MEMORY, 'documents')
  const unpaid = createUnpaidWork({ most: MOST_UNPAID_MS, now, what: 'unreadable documents' })

  async function fetchDocument(url: string, { signal, timeoutMs }: DocumentCall): Promise<Source> {
    const found = await getter.resource(url, {
      signal,
      timeoutMs: Math.max(5_000, timeoutMs - PARSING_MS),
      maxBytes: MAX_DOCUMENT_BYTES,
    })
    if (found.kind === 'failed') throw fetchError(found)
    return {
      bytes: found.body,
      mime: found.contentType,
      filename: new URL(found.finalUrl).pathname.split('/').at(-1) ?? '',
      url: found.finalUrl,
    }
  }

  return async (input, call, readFile) => {
    const { url, file_id: fileId } = input
    // One buyer without an account must not use up the ration of all of them.
    if (!isSharedAccount(call)) unpaid.admit(call.accountId)
    let cpuMs = 0
    capacity.take(call.accountId, MAX_DOCUMENT_BYTES)
    try {
      const source: Source =
        fileId === undefined
          ? await fetchDocument(url ?? '', call)
          : { ...(await readFile(call, fileId, MAX_DOCUMENT_BYTES)), url: null }
      const answer = await sandbox.parse(
        {
          bytes: source.bytes,
          contentType: source.mime,
          filename: source.filename,
          maxPages: input.max_pages,
          maxChars: MAX_DOCUMENT_CHARS,
        },
        call,
        (ms) => void (cpuMs = ms),
      )
      if (answer.kind === 'fault') {
        const param = fileId === undefined ? 'url' : 'file_id'
        throw owing(new AppError(FAULTS[answer.code], answer.detail, { param }), cpuMs)
      }
      unpaid.add(call.accountId, -cpuMs)
      return toReply(answer.document, source, input)
    } catch (error) {
      const isOwed = error instanceof AppError && error.owed > 0n
      if (!isOwed) unpaid.add(call.accountId, cpuMs)
      throw error
    } finally {
      capacity.giveBack(call.accountId, MAX_DOCUMENT_BYTES)
    }
  }
}

function toReply(
  {
    kind,
    metadata,
    unit,
    pageCount,
    pagesRead,
    markdown,
    isTruncated,
    omitted,
    email,
  }: ReadDocument,
  { url, bytes, filename }: Source,
  { file_id: fileId, max_chars: maxChars }: DocumentInput,
): DocumentReply {
  const content = cutText(markdown, maxChars)
  const rest = restOf(markdown, content)
  const named = filename.slice(0, filename.length - extname(filename).length).trim()
  return {
    url,
    file_id: fileId ?? null,
    kind,
    bytes: bytes.length,
    ...metadata,
    title: metadata.title ?? (named === '' ? null : named),
    page_unit: unit,
    page_count: pageCount,
    pages_read: pagesRead,
    content,
    chars: content.length,
    truncated: isTruncated || rest !== undefined,
    omitted,
    ...(rest === undefined ? {} : { rest }),
    ...(email === undefined ? {} : { email }),
  }
}

function fetchError(failure: PageFailure): unknown {
  const { reason, status } = failure
  if ((reason === 'bad_url' || reason === 'blocked_address') && isAtStart(failure))
    return withAddressParam(
      new AppError('bad_url', '"url" does not lead to a host on the public internet.'),
      'url',
    )
  const details = {
    upstream: { service: 'web', status: status ?? null, code: reason, message: null },
  }
  if (reason === 'timeout' || reason === 'connect_timeout' || reason === 'aborted')
    return new AppError(
      'upstream_timeout',
      'The document took too long to arrive. Nothing was charged.',
    )
  if (reason === 'too_large')
    return new AppError(
      'file_too_large',
      `The document is larger than ${MAX_DOCUMENT_BYTES / 1024 ** 2} MiB. Nothing was charged.`,
      { param: 'url', details: { max_bytes: MAX_DOCUMENT_BYTES } },
    )
  if (status === 404 || status === 410 || reason === 'dns')
    return new AppError(
      'upstream_not_found',
      reason === 'dns'
        ? 'The host name of the document cannot be resolved. Nothing was charged.'
        : `The server answered with status ${status}. Nothing was charged.`,
      { param: 'url', fix: 'Check the URL.', details },
    )
  return new AppError(
    'upstream_error',
    `${status === undefined ? `The document could not be fetched (${reason}).` : `The server answered with status ${status}.`} Nothing was charged.`,
    { details },
  )
}
