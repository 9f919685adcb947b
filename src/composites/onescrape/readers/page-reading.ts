import type { CallTools, Hop, Invocation } from '../../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { ErrorCode } from '../../../errors/catalog.ts'
import type { PageFields } from '../../../reader/embedded/page-fields.ts'
import type { PageParts } from '../../../reader/extract/select-parts.ts'
import type { AddressRefusal, Flag, Judgement, PageFormat, PageHop, ReadPage } from '../page-row.ts'

/** The format that the caller requested. */
export type ReadOptions = {
  readonly format: 'markdown' | 'html'
  readonly mainContent: boolean
  /** Set if the caller selects parts of the page: readers then return its source. */
  readonly parts?: PageParts | undefined
}

/** Extracts the main content of a raw page; plain text when `format` is text. */
export type ExtractPage = (
  raw: {
    html: string
    url: string
    format: PageFormat
    mainContent: boolean
    status: number
    parts?: PageParts | undefined
  },
  visitor: Pick<CallTools, 'accountId' | 'signal'>,
) => Promise<{
  title: string | null
  content: string
  verdict: Judgement
  fields?: PageFields
}>

/** The result of one reader for one page. */
export type PageReading = {
  /** The call. Pages of one batch share it. */
  readonly call: Hop
  /** The page's share of `call`. */
  readonly hop: PageHop
  readonly page: ReadPage | null
  /** Set when the reader itself met a wall or an empty shell. */
  readonly flags: readonly Flag[]
  /** The failure as one sentence. */
  readonly reason: string | null
  /** No reader can read a page at this address. */
  readonly refusal: AddressRefusal | null
  /** The reader failed; the page may be fine. */
  readonly isOutOfOrder?: true
  /** `reason` describes the reader, not the page. */
  readonly isReasonOfReader?: true
  /** Read without scripts: a browser may show more. */
  readonly ignoresScripts?: true
  /** The page's host accepts no connection at this address. */
  readonly isUnreachable?: true
}

/** The reading of a failed call for a single page. */
export function unread(invocation: Invocation): PageReading {
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

/** The reading of an address without a readable page. Some readers convert documents to text; these are refused too. */
export function refused(refusal: AddressRefusal, call: Hop, hop = call): PageReading {
  const reason =
    refusal.error === 'document'
      ? `The address leads to a file (${refusal.contentType}), not to a page.`
      : 'The address does not lead to the public internet.'
  return { call, hop, page: null, flags: [], reason, refusal }
}

/** Whether a reading shows how well the reader works on the page's host. */
export function countsForHost({ hop, refusal, isOutOfOrder }: PageReading): boolean {
  return hop.skipped === undefined && refusal === null && isOutOfOrder === undefined
}

export const REFUSED_ADDRESS: AddressRefusal = { error: 'bad_url' }

export const WALL_STATUSES: ReadonlySet<unknown> = new Set([401, 403, 407, 429, 451, 503])

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

function failureFlags({ outcome }: Invocation): Flag[] {
  if (outcome.kind !== 'failed') return []
  const { blocked, page_status: status } = outcome.details ?? {}
  return blocked === true || WALL_STATUSES.has(status) ? ['blocked'] : []
}

/** A skipped reader gives no reason. The remark about charges is removed: it is about one step only. */
function reasonOf({ hop, outcome }: Invocation): string | null {
  return outcome.kind !== 'failed' || hop.skipped !== undefined
    ? null
    : outcome.message.replace(/ ?Nothing was charged\.$/, '')
}

export function dataOf({ outcome }: Invocation): Data {
  return outcome.kind === 'failed' ? {} : outcome.data
}

/** `value` if it is an object, and an empty object otherwise. */
export function toRecord(value: unknown): Data {
  return typeof value === 'object' && value !== null ? (value as Data) : {}
}

/** `value` if it is a text with characters, and null otherwise. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
