/** The readers `render/scrape` and `render2/scrape`: one page in a browser. */
import type { CallTools } from '../../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { asPageFields } from '../../../reader/embedded/page-fields.ts'
import { isFileType } from '../../../reader/fetch/file-type.ts'
import type { Flag, Judgement } from '../page-row.ts'
import {
  dataOf,
  refused,
  REFUSED_ADDRESS,
  toRecord,
  toText,
  unread,
  type PageReading,
  type ReadOptions,
} from './page-reading.ts'

export function readInBrowser(
  tools: CallTools,
  provider: 'render' | 'render2',
  url: string,
  options: ReadOptions,
): Promise<PageReading> {
  return readDocument(tools, provider, inputFor(url, options), options)
}

/** Calls `render2/scrape` with a browser that sites detect less often. Rows list it as a reader of its own. */
export async function readInStealth(
  tools: CallTools,
  url: string,
  options: ReadOptions,
): Promise<PageReading> {
  const input = { ...inputFor(url, options), stealth: true }
  const reading = await readDocument(tools, 'render2', input, options)
  return { ...reading, hop: { ...reading.hop, stealth: true } }
}

function inputFor(url: string, { format, mainContent }: ReadOptions): Data {
  return { url, formats: [format], onlyMainContent: mainContent }
}

async function readDocument(
  tools: CallTools,
  provider: 'render' | 'render2',
  input: Data,
  { format }: ReadOptions,
): Promise<PageReading> {
  const invocation = await tools.invoke(provider, 'scrape', input)
  const document = toRecord(dataOf(invocation)['data'])
  const metadata = toRecord(document['metadata'])
  const content = toText(document[format])
  const fileType = metadata['contentType']
  if (isFileType(fileType))
    return refused({ error: 'document', contentType: fileType }, invocation.hop)
  if (invocation.outcome.kind === 'failed' && invocation.outcome.code === 'bad_url')
    return refused(REFUSED_ADDRESS, invocation.hop)
  if (content === null) return unread(invocation)
  const titles: unknown = metadata['title']
  const status = metadata['statusCode']
  return {
    call: invocation.hop,
    hop: invocation.hop,
    flags: [],
    reason: null,
    refusal: null,
    page: {
      content,
      format,
      title: toText(Array.isArray(titles) ? titles[0] : titles),
      finalUrl: toText(metadata['url']) ?? toText(metadata['sourceURL']),
      status: typeof status === 'number' ? status : 200,
      fields: asPageFields(document['fields']),
      ...judgementIn(metadata),
    },
  }
}

/** The in-house lane judges the page's source. Vendors return no judgement. */
function judgementIn({
  yield: pageYield,
  qualityFlags,
}: Data): { judgement: Judgement } | undefined {
  if (typeof pageYield !== 'number' || !Array.isArray(qualityFlags)) return undefined
  return { judgement: { yield: pageYield, flags: qualityFlags.filter(isFlag) } }
}

function isFlag(value: unknown): value is Flag {
  return value === 'blocked' || value === 'thin_content'
}
