/** Takes names of the task out of the names of an intent. */
import { tokenize } from '../../discover/tokenize.ts'
import type { Found } from '../reading/entities.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import type { ActionWords } from './action-words.ts'

/** The reading without acronyms that describe the action, such as "GDPR" of "GDPR fines against Meta". */
export function withoutTaskNames(reading: IntentReading, { task }: ActionWords): IntentReading {
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
