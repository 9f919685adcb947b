/** The reading of an intent for one action: without the words that describe the action. */
import type { Entry } from '../../catalog/index.ts'
import type { JsonSchema } from '../../catalog/published/json-schema.ts'
import { tokenize } from '../discover/tokenize.ts'
import { subjectOf, wordsOf, type ActionWords } from './checking/action-words.ts'
import type { Found } from './reading/entities.ts'
import type { IntentReading } from './reading/intent-reading.ts'
import type { Target } from './suggested-call.ts'

export function readingFor(
  entry: Entry,
  target: Target,
  schema: JsonSchema,
  reading: IntentReading,
): IntentReading {
  const named = withoutTaskNames(reading, wordsOf(entry, target, schema))
  return { ...named, ...subjectFor(entry, target, schema, named), actionName: entry.name }
}

/** The reading without acronyms that describe the action, such as "GDPR" of "GDPR fines against Meta". */
function withoutTaskNames(reading: IntentReading, { task }: ActionWords): IntentReading {
  const { found, values } = reading.entities
  const isTaskName = ({ kind, text, isUncertain }: Found): boolean =>
    kind === 'company' &&
    isUncertain === true &&
    /^[A-Z]{2,6}$/.test(text) &&
    tokenize(text).every((stem) => task.has(stem))
  const dropped = found.filter(isTaskName).map(({ value }) => value)
  if (dropped.length === 0) return reading
  const { company, ...others } = values
  const companies = company?.filter((value) => !dropped.includes(value)) ?? []
  return {
    ...reading,
    entities: {
      ...reading.entities,
      found: found.filter((one) => !isTaskName(one)),
      values: companies.length === 0 ? others : { ...others, company: companies },
    },
  }
}

/** General searches take the whole topic. */
function subjectFor(
  entry: Entry,
  target: Target,
  schema: JsonSchema,
  { entities }: IntentReading,
): Pick<IntentReading, 'subject' | 'taskEnd' | 'isTaskOnly'> {
  const isGeneral = entry.service.category === 'web search' || entry.service.id === 'core'
  if (isGeneral) return { subject: '', taskEnd: '', isTaskOnly: false }
  const names = entities.found.filter(({ kind }) => ['person', 'company', 'place'].includes(kind))
  const { subject, taskEnd } = subjectOf(
    entities.words,
    entities.bare,
    wordsOf(entry, target, schema),
    names.map(({ text }) => text),
  )
  const about = subject === '' ? (ABOUT.exec(entities.bare)?.[1] ?? '') : subject
  return { subject: about, taskEnd, isTaskOnly: about === '' && entities.found.length === 0 }
}

/** A subject whose words also describe the action: "polymarket markets about the election". */
const ABOUT =
  /\b(?:about|regarding|concerning|mentioning) (?:the |an? )?([\p{L}\d][\p{L}\d '&-]{2,60}?)[.?!]*$/iu
