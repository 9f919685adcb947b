/** The shape of a list in the gateway's own form, and its common fields. */
import { answer, count, maybe, records, text } from '../../catalog/vocabulary/returns.ts'
import type { TProperties } from 'typebox'

export const total = maybe(count('The number of all matches.', 'results'))
export const list = (description: string, fields: TProperties) =>
  answer({ total, results: records(description, fields) })
export const label = (description: string) => maybe(text(description))
