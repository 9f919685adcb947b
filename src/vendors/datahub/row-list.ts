/** The shape of a list in the gateway's own form, and its common fields. */
import { answer, count, maybe, records, text } from '../../catalog/vocabulary/returns.ts'
import type { TProperties } from '../../lib/schema.ts'

export const total = maybe(count('The number of all matches.', 'results'))

export function list(description: string, fields: TProperties) {
  return answer({ total, results: records(description, fields) })
}

export function label(description: string) {
  return maybe(text(description))
}
