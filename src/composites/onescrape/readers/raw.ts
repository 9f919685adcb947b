/** The readers that get past blocks: they return the raw page, which is extracted here. */
import type { CallTools, Invocation } from '../../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../../errors/app-error.ts'
import { fileTypeOf } from '../../../reader/fetch/file-type.ts'
import type { PageFormat } from '../page-row.ts'
import {
  dataOf,
  refused,
  toText,
  unread,
  type ExtractPage,
  type PageReading,
  type ReadOptions,
} from './page-reading.ts'

const RAW_READERS = {
  cheapunblock: { action: 'scrape', input: { format: 'html' }, page: 'html' },
  unblock: { action: 'unblock', input: { format: 'html' }, page: 'html' },
  proxy: { action: 'scrape_residential', input: {}, page: 'raw' },
} as const
type RawReader = keyof typeof RAW_READERS

/** Returns text where the caller requested markdown. The row states its format. */
export async function readRaw(
  tools: CallTools,
  provider: RawReader,
  url: string,
  options: ReadOptions,
  extract: ExtractPage,
): Promise<PageReading> {
  const { action, input, page: field } = RAW_READERS[provider]
  const invocation = await tools.invoke(provider, action, { url, ...input })
  const data = dataOf(invocation)
  const html = toText(data[field])
  if (html === null) return unread(invocation)
  const status = typeof data['status_code'] === 'number' ? data['status_code'] : 200
  // Text if the caller requested markdown. The row states its format.
  const format = options.format === 'html' ? 'html' : 'text'
  return extractSource(
    tools,
    invocation,
    { html, url, finalUrl: toText(data['final_url']), status, format },
    options,
    extract,
  )
}

type PageSource = {
  readonly html: string
  /** The requested address. */
  readonly url: string
  readonly finalUrl: string | null
  readonly status: number
  readonly format: PageFormat
}

/** The reading of a page whose source a reader returned. */
export async function extractSource(
  tools: CallTools,
  invocation: Invocation,
  { html, url, finalUrl, status, format }: PageSource,
  { mainContent, parts }: ReadOptions,
  extract: ExtractPage,
): Promise<PageReading> {
  // These readers return files of any type.
  const fileType = fileTypeOf(html, html)
  if (fileType !== undefined)
    return refused({ error: 'document', contentType: fileType }, invocation.hop)
  const extracted = await extract(
    { html, url: finalUrl ?? url, format, mainContent, status, parts },
    tools,
  ).catch(toAppError)
  if (extracted instanceof AppError)
    return { ...unread(invocation), reason: extracted.message, isOutOfOrder: true }
  const { title, content, verdict, fields } = extracted
  return {
    call: invocation.hop,
    hop: invocation.hop,
    flags: [],
    reason: null,
    refusal: null,
    page: { content, format, title, finalUrl, status, judgement: verdict, fields },
  }
}

/** A failed extraction fails one page, not the whole call. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
