/** Reads parts of a page: a browser returns the source, and the gateway selects the parts. */
import type { CallTools } from '../../../catalog/vocabulary/handlers.ts'
import { isFileType } from '../../../reader/fetch/file-type.ts'
import {
  dataOf,
  refused,
  REFUSED_ADDRESS,
  toRecord,
  toText,
  unread,
  type ExtractPage,
  type PageReading,
  type ReadOptions,
} from './page-reading.ts'
import { extractSource } from './raw.ts'

export async function readParts(
  tools: CallTools,
  provider: 'render' | 'render2',
  url: string,
  options: ReadOptions,
  extract: ExtractPage,
): Promise<PageReading> {
  const invocation = await tools.invoke(provider, 'scrape', {
    url,
    formats: ['rawHtml'],
    onlyMainContent: false,
  })
  const document = toRecord(dataOf(invocation)['data'])
  const metadata = toRecord(document['metadata'])
  const fileType = metadata['contentType']
  if (isFileType(fileType))
    return refused({ error: 'document', contentType: fileType }, invocation.hop)
  if (invocation.outcome.kind === 'failed' && invocation.outcome.code === 'bad_url')
    return refused(REFUSED_ADDRESS, invocation.hop)
  const html = toText(document['rawHtml'])
  if (html === null) return unread(invocation)
  const finalUrl = toText(metadata['url']) ?? toText(metadata['sourceURL'])
  const status = typeof metadata['statusCode'] === 'number' ? metadata['statusCode'] : 200
  const { format } = options
  return extractSource(tools, invocation, { html, url, finalUrl, status, format }, options, extract)
}
