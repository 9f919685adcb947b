/** Raises the probability of an action that an intent names by its own kind of number, by its act, or by several fields. */
import type { Entry } from '../../../catalog/index.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import type { ActionWords } from './action-words.ts'
import { isRequestedAct } from './acts.ts'
import type { Problem } from './audit.ts'
import type { EntityKind } from '../reading/entity-kind.ts'
import { toMissing } from '../filling/fill.ts'
import { typedFields } from './fit.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import type { Target } from '../suggested-call.ts'

type Drafted = {
  readonly entry: Entry
  readonly target: Target
  readonly schema: JsonSchema
  readonly params: Data
  readonly reading: IntentReading
  readonly words: ActionWords
  readonly problems: readonly Problem[]
}

/** The probability of the search, or more if the call itself is evidence for the action. */
export function likelihoodFrom(
  probability: number,
  { entry, target, schema, params, reading, words, problems }: Drafted,
): number {
  const isLikely =
    hasOwnNumber(schema, params, reading) || isRequestedAct(entry, target, reading, words)
  const isWhole =
    problems.length === 0 && probability >= LEAST_OF_WHOLE && typedFields(schema, params) >= 2
  return Math.max(probability, isLikely ? LIKELY : 0, isWhole ? WHOLE : 0)
}

/** The least probability of an action whose own kind of number the intent has. */
const LIKELY = 0.45
/** The same for an action that takes at least two values of the intent in fields of their own and loses nothing. */
const WHOLE = 0.45
const LEAST_OF_WHOLE = 0.2
/** Numbers that belong to one kind of action each. */
const OWN_NUMBERS: ReadonlySet<EntityKind> = new Set([
  'trial',
  'cve',
  'advisory',
  'isbn',
  'iban',
  'lei',
  'vat',
  'vin',
  'ein',
  'eori',
  'ndc',
  'citation',
  'accession',
  'container',
  'flight',
  'docket',
  'cron',
  'query',
  'ens',
])

/** Whether a call passes such a number to the field for it. */
function hasOwnNumber(schema: JsonSchema, params: Data, { entities }: IntentReading): boolean {
  return Object.entries(params).some(([name, value]) => {
    const { slot } = toMissing(name, schema)
    const kind = slot.kind === 'named' ? slot.of[0] : undefined
    return (
      kind !== undefined &&
      OWN_NUMBERS.has(kind) &&
      entities.values[kind]?.some((one) => one === value) === true
    )
  })
}
