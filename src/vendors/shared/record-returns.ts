/** Parts that the answers of merchants for public records share. */
import type { TProperties } from '../../lib/schema.ts'
import {
  anything,
  count,
  maybe,
  open,
  record,
  records,
  text,
} from '../../catalog/vocabulary/returns.ts'

/** The id that the get action of the service takes. */
export const recordId = (get: string) => maybe(anything(`The id of the record, for ${get}.`))

/**
 * A page of a search. The merchant returns `data`, the free public source `results`.
 */
export function foundRecords(what: string, merchant: TProperties, source: TProperties) {
  return {
    data: maybe(records(`${what}, if the merchant answers.`, merchant)),
    next_cursor: maybe(text("The merchant's mark of the next page. null on the last page.")),
    results: maybe(records(`${what}, if the free public source answers.`, source)),
    total: maybe(count('The number of matches in the public source.')),
    meta: maybe(open('Facts about the search in the public source.')),
    source: maybe(text('The name of the public source.')),
  }
}

/** One record. The merchant returns `data`, the free public source the field `name`. */
export function oneRecord(name: string, merchant: TProperties, source: TProperties) {
  return {
    data: maybe(record('The record, if the merchant answers.', merchant)),
    id: maybe(text('The requested id, if the public source answers.')),
    [name]: maybe(record('The record, if the free public source answers.', source)),
  }
}
