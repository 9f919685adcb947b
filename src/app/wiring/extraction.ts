import { createExtractData } from '../../composites/extraction/extract-data.ts'
import type { ExtractData } from '../../composites/extraction/extraction.ts'
import {
  createSchemaChecker,
  type SchemaChecker,
} from '../../composites/extraction/schema-checker.ts'
import { createBoundedComplete } from '../../llm/ask/bounded-complete.ts'
import type { Router } from '../../llm/ask/create-router.ts'

/** Structured extraction. `extractData` is null on a gateway without a language model. */
export type Extraction = {
  readonly checker: SchemaChecker
  readonly extractData: ExtractData | null
}

export function openExtraction(router: Router): Extraction {
  const checker = createSchemaChecker()
  const complete = createBoundedComplete(router)
  return {
    checker,
    extractData: router.directory.isConfigured ? createExtractData({ complete, checker }) : null,
  }
}
