import { Type, type Static } from '../../../../lib/schema.ts'
import type { ChangeFilter } from '../../../../audit/list-changes.ts'
import { readPeriod } from '../account/transaction-query.ts'

export const ChangeQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({ description: 'Changes from this time on: RFC 3339, or a date in UTC.' }),
    ),
    to: Type.Optional(Type.String({ description: 'Changes before this time.' })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Maximum number of changes per page. Default: 50.',
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv' | 'ndjson'>({
        enum: ['json', 'csv', 'ndjson'],
        description: 'csv and ndjson export all matching changes.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Throws AppError invalid_params for an invalid time or if the end precedes the start. */
export function changeFilterOf(
  query: Pick<Static<typeof ChangeQuery>, 'from' | 'to'>,
): Omit<ChangeFilter, 'accountId'> {
  return readPeriod(query)
}
