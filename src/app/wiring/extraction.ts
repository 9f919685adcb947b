import { createExtractData } from '../../composites/extraction/extract-data.ts'
import type { ExtractData, Summarize } from '../../composites/extraction/extraction.ts'
import {
  createSchemaChecker,
  type SchemaChecker,
} from '../../composites/extraction/schema-checker.ts'
import type { BoundedComplete } from '../../composites/shared/complete.ts'
import { limitUnpaid } from '../../composites/extraction/limit-unpaid.ts'
import { createSummarize } from '../../composites/extraction/summarize.ts'
import { createBoundedComplete } from '../../llm/ask/bounded-complete.ts'
import type { Router } from '../../llm/ask/create-router.ts'

/** Structured extraction and summaries. The functions are null on a gateway without a language model. */
export type Extraction = {
  readonly checker: SchemaChecker
  readonly extractData: ExtractData | null
  /** For jobs, which are charged at their launch. */
  readonly extractPaid: ExtractData | null
  readonly summarize: Summarize | null
  readonly complete: BoundedComplete | null
}

export function openExtraction(router: Router): Extraction {
  const checker = createSchemaChecker()
  const complete = createBoundedComplete(router)
  if (!router.directory.isConfigured)
    return { checker, extractData: null, extractPaid: null, summarize: null, complete: null }
  const extractPaid = createExtractData({ complete, checker })
  const extractData = limitUnpaid(extractPaid, router.now)
  return {
    checker,
    complete,
    extractData,
    extractPaid,
    summarize: createSummarize({ complete, extractData }),
  }
}
