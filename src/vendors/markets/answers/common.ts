/** Parts that the answers of market paths share. */
import type { TProperties, TSchema } from '../../../lib/schema.ts'
import {
  answer,
  anything,
  count,
  either,
  flag,
  items,
  maybe,
  number,
  record,
  records,
  text,
} from '../../../catalog/vocabulary/returns.ts'

const meta = maybe(
  record('Facts about the answer.', {
    source: maybe(text('The public source. Absent if the vendor answers.')),
    credits: maybe(number("The vendor's credits that the call used.")),
    limit: maybe(count('The most rows of a page.')),
    offset: maybe(count('The number of rows before this page.')),
    total: maybe(count('The number of all rows.')),
    cached: maybe(flag('Whether the vendor stored the answer before.')),
    next_cursor: maybe(text('The mark of the next page.')),
  }),
)
const pagination = maybe(
  record('The place of this page. Only for paths below /api/v1/pm.', {
    has_more: maybe(flag('Whether there are further rows.')),
    pagination_key: maybe(text('Send it as `pagination_key` for the next page.')),
    limit: maybe(count('The most rows of a page.')),
    offset: maybe(count('The number of rows before this page.')),
    total: maybe(count('The number of all rows.')),
    count: maybe(count('The number of rows of this page.')),
  }),
)

export function marketAnswer(data: TSchema) {
  return answer({ data: maybe(data), meta, pagination })
}

/** Rows, or one object. */
export function rowsOrOne(description: string, fields: TProperties) {
  return marketAnswer(
    either(description, records(description, fields), record(description, fields)),
  )
}

/** Rows whose form depends on the source, or one object. */
export function anyRows(description: string) {
  return marketAnswer(
    either(description, items(description, anything('A row.')), record(description, {})),
  )
}
