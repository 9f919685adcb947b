import type { CallTools, Hop, Invocation } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import { fileTypeOf, isFileType, UNKNOWN_FILE } from '../../reader/fetch/file-type.ts'
import type { FailureReason } from '../../reader/fetch/page-failure.ts'
import type { Flag, Judgement, PageFormat, PageHop, ReadPage, AddressRefusal } from './page-row.ts'

/** How pages are wanted. */
export type Wish = { readonly format: 'markdown' | 'html'; readonly mainContent: boolean }

/** Turns a raw page into main content; text when `format` is text. */
export type ExtractPage = (
  raw: { html: string; url: string; format: PageFormat; mainContent: boolean; status: number },
  visitor: Pick<CallTools, 'accountId' | 'signal'>,
) => Promise<{ title: string | null; content: string; verdict: Judgement }>

/**
 * `flags` say why there is no page, where the reader saw a wall or a shell itself; `reason` says it in a sentence.
 * `hop` is the row's part in `call`: a call for many pages is shared. `refusal`: there is no
 * page to read, whoever reads.
 */
export type PageReading = {
  readonly call: Hop
  readonly hop: PageHop
  readonly page: ReadPage | null
  readonly flags: readonly Flag[]
  readonly reason: string | null
  readonly refusal: AddressRefusal | null
  /** The reader itself failed, whatever the page is. */ readonly isOutOfOrder?: true
  /** `reason` tells of the reader, and not of the page. */ readonly isReasonOfReader?: true
  /** The host of the page takes no connection at this address. */ readonly isUnreachable?: true
}

/** Reads many pages in one call, without running their scripts. Readings are in the order of `urls`. */
export async function readInBatch(
  tools: CallTools,
  urls: readonly string[],
  wish: Wish,
): Promise<PageReading[]> {
  const text = {
    ...(wish.format === 'html' ? { includeHtmlTags: true } : {}),
    ...(wish.mainContent ? {} : { verbosity: 'full' }),
  }
  const invocation = await tools.invoke('semantic', 'contents', {
    urls: [...urls],
    text: Object.keys(text).length === 0 ? true : text,
  })
  const data = dataOf(invocation)
  const results = listOf(data['results'])
  const statuses = listOf(data['statuses'])
  const renamed = pairedByPlace(urls, results, statuses)
  return urls.map((url) => {
    const status = rowFor(url, statuses)
    const result = rowFor(url, results) ?? renamed.get(url)
    const error = recordOf(status?.['error'])
    const content = textOf(result?.['text'])
    const refused = refusalIn(error)
    if (refused !== null) return refusedOf(refused, invocation.hop, shareOf(invocation.hop, false))
    const page =
      content === null || result === undefined
        ? null
        : {
            content,
            format: batchFormat(result, wish),
            title: textOf(result['title']),
            finalUrl: textOf(result['url']),
            status: 200,
            ...judgedBySource(result),
          }
    return {
      call: invocation.hop,
      hop: shareOf(invocation.hop, page !== null),
      page,
      flags: refusalFlags(error),
      reason: null,
      refusal: null,
      ...(isUnreachable(error) ? { isUnreachable: true } : {}),
    }
  })
}

/** Pages that came back under the address that they call their own: told by their place among those that nobody asked for by that name. */
function pairedByPlace(
  urls: readonly string[],
  results: readonly Data[],
  statuses: readonly Data[],
): ReadonlyMap<string, Data | undefined> {
  const named = new Set(urls.map((url) => rowFor(url, results)))
  const rest = results.filter((row) => !named.has(row))
  const without = urls.filter((url) => rowFor(url, results) === undefined)
  const read = statuses
    .filter((row) => row['status'] === 'success')
    .flatMap((row) => without.filter((url) => rowFor(url, [row]) !== undefined))
  return new Map(
    read.length === rest.length ? read.map((url, place) => [url, rest[place]] as const) : [],
  )
}

/** The row that names the page; services leave its last slash out, or add one. */
function rowFor(url: string, rows: readonly Data[]): Data | undefined {
  const bare = (address: unknown) =>
    typeof address === 'string' ? address.replace(/\/$/, '') : undefined
  const names = (row: Data, form: (address: unknown) => unknown) =>
    form(row['url']) === form(url) || form(row['id']) === form(url)
  return (
    rows.find((row) => names(row, (address) => address)) ?? rows.find((row) => names(row, bare))
  )
}

/** List price of the batch reader, for a page; the whole call's price is not one row's. */
export const BATCH_RATE = cents('0.1')

function shareOf(hop: Hop, isRead: boolean): Hop {
  return {
    ...hop,
    ok: isRead,
    charged_cents: isRead ? 1 : 0,
    charged_micros: isRead ? Number(BATCH_RATE) : 0,
  }
}

/** The in-house lane says what it returned; the vendor returns text. */
function batchFormat(result: Data, wish: Wish): PageFormat {
  if (wish.format === 'html') return 'html'
  return result['format'] === 'markdown' ? 'markdown' : 'text'
}

/** The in-house lane has judged the page by its source, where a short page and an empty shell differ; it returns no wall. */
function judgedBySource({ yield: pageYield }: Data): { judgement: Judgement } | undefined {
  return typeof pageYield === 'number' ? { judgement: { yield: pageYield, flags: [] } } : undefined
}

/** Reads one page in a browser, by either of the two services that share this wire. */
export function readInBrowser(
  tools: CallTools,
  provider: 'render' | 'render2',
  url: string,
  wish: Wish,
): Promise<PageReading> {
  return readDocument(
    tools,
    provider,
    { url, formats: [wish.format], onlyMainContent: wish.mainContent },
    wish,
  )
}

/** The same in a browser that is harder to tell from a person. Rows name it as a reader of its own; the call is one of `render2`. */
export async function readInStealth(
  tools: CallTools,
  url: string,
  wish: Wish,
): Promise<PageReading> {
  const reading = await readDocument(
    tools,
    'render2',
    { url, formats: [wish.format], onlyMainContent: wish.mainContent, stealth: true },
    wish,
  )
  return { ...reading, hop: { ...reading.hop, stealth: true } }
}

async function readDocument(
  tools: CallTools,
  provider: 'render' | 'render2',
  input: Data,
  wish: Wish,
): Promise<PageReading> {
  const invocation = await tools.invoke(provider, 'scrape', input)
  const document = recordOf(dataOf(invocation)['data'])
  const metadata = recordOf(document['metadata'])
  const content = textOf(document[wish.format])
  const fileType = metadata['contentType']
  if (isFileType(fileType))
    return refusedOf({ error: 'document', contentType: fileType }, invocation.hop)
  if (invocation.outcome.kind === 'failed' && invocation.outcome.code === 'bad_url')
    return refusedOf(REFUSED_ADDRESS, invocation.hop)
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
      format: wish.format,
      title: textOf(Array.isArray(titles) ? titles[0] : titles),
      finalUrl: textOf(metadata['url']) ?? textOf(metadata['sourceURL']),
      status: typeof status === 'number' ? status : 200,
    },
  }
}

/** Readers that get past blocks and bring the page as it came. */
const RAW_READERS = {
  cheapunblock: { action: 'scrape', input: { format: 'html' }, page: 'html' },
  unblock: { action: 'unblock', input: { format: 'html' }, page: 'html' },
  proxy: { action: 'scrape_residential', input: {}, page: 'raw' },
} as const
export type RawReader = keyof typeof RAW_READERS

/** Reads one page past blocks. It brings the raw page, so markdown is stripped to text here, and the row says so. */
export async function readRaw(
  tools: CallTools,
  provider: RawReader,
  url: string,
  wish: Wish,
  extract: ExtractPage,
): Promise<PageReading> {
  const { action, input, page: field } = RAW_READERS[provider]
  const invocation = await tools.invoke(provider, action, { url, ...input })
  const data = dataOf(invocation)
  const html = textOf(data[field])
  if (html === null) return unread(invocation)
  // These readers hand on whatever lies there.
  const fileType = fileTypeOf(html, html)
  if (fileType !== undefined)
    return refusedOf({ error: 'document', contentType: fileType }, invocation.hop)
  const finalUrl = textOf(data['final_url'])
  const format: PageFormat = wish.format === 'html' ? 'html' : 'text'
  const status = typeof data['status_code'] === 'number' ? data['status_code'] : 200
  const extracted = await extract(
    { html, url: finalUrl ?? url, format, mainContent: wish.mainContent, status },
    tools,
  ).catch(asAppError)
  if (extracted instanceof AppError)
    return { ...unread(invocation), reason: extracted.message, isOutOfOrder: true }
  const { title, content, verdict } = extracted
  return {
    call: invocation.hop,
    hop: invocation.hop,
    flags: [],
    reason: null,
    refusal: null,
    page: { content, format, title, finalUrl, status, judgement: verdict },
  }
}

/** What of a page's reading fails is that page, and not the call with all the others. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

function unread(invocation: Invocation): PageReading {
  const { hop, outcome } = invocation
  const isOutOfOrder = outcome.kind === 'failed' && OUT_OF_ORDER.has(outcome.code)
  const isReasonOfReader = outcome.kind === 'failed' && outcome.details?.['upstream'] !== undefined
  return {
    call: hop,
    hop,
    page: null,
    flags: failureFlags(invocation),
    reason: reasonOf(invocation),
    refusal: null,
    ...(isOutOfOrder ? { isOutOfOrder } : {}),
    ...(isReasonOfReader ? { isReasonOfReader } : {}),
  }
}

/** Whether a reading in a browser says how well that browser does on the host. */
export function tellsOfHost({ hop, refusal, isOutOfOrder }: PageReading): boolean {
  return hop.skipped === undefined && refusal === null && isOutOfOrder === undefined
}

const OUT_OF_ORDER: ReadonlySet<string> = new Set<ErrorCode>([
  'upstream_error',
  'upstream_busy',
  'upstream_payment',
  'upstream_not_configured',
  'upstream_conflict',
  'overloaded',
  'rate_limited',
  'shutting_down',
])

const REFUSED_ADDRESS: AddressRefusal = { error: 'bad_url' }

/** What the reader of the batch that is the gateway's own says of an address that holds no page. */
function refusalIn({ reason, contentType, finalUrl }: Data): AddressRefusal | null {
  if (isFileType(contentType) || contentType === UNKNOWN_FILE)
    return { error: 'document', contentType }
  // A page that leads to a private network is the page's fault, and not that of the address.
  return (reason === 'blocked_address' || reason === 'bad_url') && finalUrl === undefined
    ? REFUSED_ADDRESS
    : null
}

const UNREACHABLE: ReadonlySet<unknown> = new Set<FailureReason>([
  'refused',
  'connection',
  'connect_timeout',
  'tls',
])

function isUnreachable({ reason, finalUrl }: Data): boolean {
  return UNREACHABLE.has(reason) && finalUrl === undefined
}

// Some readers make text of documents; what is refused by its name is not read by its type either.
function refusedOf(refusal: AddressRefusal, call: Hop, hop = call): PageReading {
  const reason =
    refusal.error === 'document'
      ? `The address leads to a file (${refusal.contentType}), not to a page.`
      : 'The address does not lead to the public internet.'
  return { call, hop, page: null, flags: [], reason, refusal }
}

const WALL_STATUSES: ReadonlySet<unknown> = new Set([401, 403, 407, 429, 451, 503])
const SHELL_REASONS: ReadonlySet<unknown> = new Set(['empty_shell', 'needs_javascript'])

function refusalFlags({ reason, httpStatusCode }: Data): Flag[] {
  if (SHELL_REASONS.has(reason)) return ['thin_content']
  return WALL_STATUSES.has(httpStatusCode) ? ['blocked'] : []
}

function failureFlags({ outcome }: Invocation): Flag[] {
  if (outcome.kind !== 'failed') return []
  const { blocked, page_status: status } = outcome.details ?? {}
  return blocked === true || WALL_STATUSES.has(status) ? ['blocked'] : []
}

// A reader that is not there has nothing to say about the page. What the whole call costs, none of them knows.
function reasonOf({ hop, outcome }: Invocation): string | null {
  return outcome.kind !== 'failed' || hop.skipped !== undefined
    ? null
    : outcome.message.replace(/ ?Nothing was charged\.$/, '')
}

function dataOf({ outcome }: Invocation): Data {
  return outcome.kind === 'failed' ? {} : outcome.data
}

function recordOf(value: unknown): Data {
  return typeof value === 'object' && value !== null ? (value as Data) : {}
}

function listOf(value: unknown): Data[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
