/** The types that the document worker and the gateway share. */

export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'epub' | 'email'
/** The parts that `max_pages` counts. A docx file has pages only where Word stored its page breaks. */
export type PageUnit = 'page' | 'slide' | 'sheet' | 'chapter' | null

export type DocumentMetadata = {
  readonly title: string | null
  readonly author: string | null
  /** RFC 3339, or null. */
  readonly created_at: string | null
  readonly modified_at: string | null
  readonly language: string | null
}
export type EmailFacts = {
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly date: string | null
  readonly message_id: string | null
  readonly attachments: readonly {
    readonly filename: string | null
    readonly mime: string
    readonly size: number
  }[]
}

export type DocumentLimits = { readonly maxPages: number; readonly maxChars: number }
export type ParseRequest = DocumentLimits & {
  readonly bytes: Uint8Array
  /** The Content-Type and the name of the file; empty if unknown. */
  readonly contentType: string
  readonly filename: string
}

/**
 * A document whose content is produced part by part, so that the limits of the call also limit the
 * work. Each part is HTML of one page, slide, sheet or chapter.
 */
export type OpenDocument = {
  readonly kind: DocumentKind
  readonly metadata: DocumentMetadata
  readonly unit: PageUnit
  /** The number of pages in the document; null if it stores none. */
  readonly pageCount: number | null
  readonly parts: AsyncIterable<string> | Iterable<string>
  /** Whether the parts that were read lack content beyond the reader's limits. */
  isCut?(): boolean
  /** Names of content that the parts that were read lack, such as "charts". */
  omitted?(): readonly string[]
  readonly email?: EmailFacts
}

export type ReadDocument = {
  readonly kind: DocumentKind
  readonly metadata: DocumentMetadata
  readonly unit: PageUnit
  readonly pageCount: number | null
  readonly pagesRead: number | null
  readonly markdown: string
  readonly isTruncated: boolean
  readonly omitted: readonly string[]
  readonly email?: EmailFacts
}

export type FaultCode = 'encrypted' | 'without_text' | 'unsupported' | 'broken' | 'too_complex'
export type ParseAnswer =
  | { readonly kind: 'read'; readonly document: ReadDocument }
  | { readonly kind: 'fault'; readonly code: FaultCode; readonly detail: string }

/** Why a document cannot be read. `detail` is one or two sentences for the caller. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
  readonly code: FaultCode
  constructor(code: FaultCode, detail: string) {
    super(detail)
    this.code = code
  }
}

export const NO_METADATA: DocumentMetadata = {
  title: null,
  author: null,
  created_at: null,
  modified_at: null,
  language: null,
}

/** The text without outer space, or null if nothing is left. */
export function orNull(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').replace(/\s+/g, ' ').trim()
  return trimmed === '' ? null : trimmed.slice(0, 500)
}

/** RFC 3339 of a date in any form that JavaScript reads; null for another text. */
export function toTime(text: string | null | undefined): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}
