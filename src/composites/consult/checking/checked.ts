/** A drafted call with the intent that it is checked against. */
import type { Entry } from '../../../catalog/index.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import type { Target } from '../suggested-call.ts'

export type Checked = {
  readonly entry: Entry
  readonly target: Target
  readonly schema: JsonSchema
  readonly params: Data
  readonly reading: IntentReading
}
