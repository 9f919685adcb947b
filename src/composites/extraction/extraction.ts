import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'

/** The vendor's row of `basis`: a field and the passage that states it. */
export type Support = {
  readonly basisVersion: 1
  readonly field: string
  readonly value: unknown
  readonly status: 'supported' | 'unverified' | 'notFound'
  readonly citations: readonly { readonly url: string; readonly excerpt: string }[]
}

/** The data that a caller wants from pages: `prompt`, `schema` or both. */
export type Wanted = {
  readonly prompt?: string | undefined
  readonly schema?: Data | undefined
  /** Requests the supporting passage of each field. */
  readonly basis?: boolean | undefined
}
export type PageText = { readonly url: string; readonly title: string; readonly text: string }
export type ExtractionRequest = {
  readonly wanted: Wanted
  readonly pages: readonly PageText[]
  /** The most that all requests to the model may cost together. */
  readonly mostMicros: Micros
  readonly mode: Mode
  readonly visitor: Visitor
}
/**
 * `isCut`: the model read only the beginning of the pages. `isAnswered`: the model answered, so the
 * failure cost the operator.
 */
export type Extracted =
  | {
      readonly kind: 'data'
      readonly data: Data
      readonly basis?: readonly Support[]
      readonly isCut: boolean
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly isAnswered?: true }
export type ExtractData = (request: ExtractionRequest) => Promise<Extracted>

export type SummaryRequest = {
  readonly page: PageText
  /** The question that the summary answers; empty for a general summary. */
  readonly query: string
  /** The summary is a JSON text that fits this schema. */
  readonly schema?: Data | undefined
  readonly mostMicros: Micros
  readonly mode: Mode
  readonly visitor: Visitor
}
/** `isCut`: the model read only the beginning of the page. */
export type Summary =
  | { readonly kind: 'summary'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'failed'; readonly reason: string }
export type Summarize = (request: SummaryRequest) => Promise<Summary>
