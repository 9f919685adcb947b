/** The readers that get past blocks: they return the raw page, which is extracted here. */
import type { CallTools } from '../../../catalog/vocabulary/handlers.ts'
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
  // These readers return files of any type.
  const fileType = fileTypeOf(html, html)
  if (fileType !== undefined)
    return refused({ error: 'document', contentType: fileType }, invocation.hop)
  const finalUrl = toText(data['final_url'])
  const format: PageFormat = options.format === 'html' ? 'html' : 'text'
  const status = typeof data['status_code'] === 'number' ? data['status_code'] : 200
  const extracted = await extract(
    { html, url: finalUrl ?? url, format, mainContent: options.mainContent, status },
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
