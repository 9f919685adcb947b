import type { CallFilter } from '../../../../history/calls/call-filter.ts'
import { CHARGE_STATES, type ChargeState } from '../../../../history/transaction-filter.ts'
import { Type, type Static } from '../../../../lib/schema.ts'
import { SURFACES, type Surface } from '../../../../lib/surface.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { filterFields, filterOf, pageFields } from '../account/transaction-query.ts'

const { status: _status, kind: _kind, ...sharedFields } = filterFields

const callFields = {
  ...sharedFields,
  charge: Type.Optional(
    Type.Unsafe<ChargeState>({
      enum: [...CHARGE_STATES],
      description: 'Only calls that were charged, are pending, or were not charged.',
    }),
  ),
  http_status: Type.Optional(
    Type.String({
      pattern: '^[2-5](xx|\\d\\d)$',
      description: 'Only this HTTP status, such as 402, or class of it, such as 4xx.',
    }),
  ),
  error_code: Type.Optional(
    Type.String({ pattern: '^[a-z0-9_]{1,64}$', description: 'Only this error code.' }),
  ),
  surface: Type.Optional(
    Type.Unsafe<Surface>({
      enum: [...SURFACES],
      description: 'Only calls over the HTTP API, the router or MCP.',
    }),
  ),
}

export const CallQuery = Type.Object(
  {
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_IDEMPOTENCY_KEY,
        description:
          'Returns the state of the call with this Idempotency-Key instead of a list. No other filter goes with it.',
      }),
    ),
    ...callFields,
    ...pageFields,
    format: Type.Optional(Type.Unsafe<'json' | 'csv'>({ enum: ['json', 'csv'] })),
  },
  { additionalProperties: false },
)

export const CallPageQuery = Type.Object(
  { ...callFields, cursor: pageFields.cursor },
  { additionalProperties: false },
)

export type CallFilterQuery = Omit<Static<typeof CallPageQuery>, 'cursor'>

/** Throws AppError invalid_params for an invalid time or id, or if the end precedes the start. */
export function callFilterOf(query: CallFilterQuery): CallFilter {
  const { charge, http_status: httpStatus, error_code: errorCode, surface, ...shared } = query
  const { status: _never, kind: _none, ...filter } = filterOf(shared)
  return {
    ...filter,
    ...(charge === undefined ? {} : { charge }),
    ...(httpStatus === undefined ? {} : { httpStatus: statusRange(httpStatus) }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(surface === undefined ? {} : { surface }),
  }
}

function statusRange(text: string): readonly [number, number] {
  const first = Number(text.replace('xx', '00'))
  return [first, text.endsWith('xx') ? first + 99 : first]
}
