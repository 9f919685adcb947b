import { Type, type Static } from '../../../../lib/schema.ts'
import { USUAL_DAYS } from '../../../../history/read-spending.ts'
import {
  TRANSACTION_KINDS,
  TRANSACTION_STATUSES,
  type TransactionFilter,
  type TransactionKind,
  type TransactionStatus,
} from '../../../../history/transaction-filter.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { parseTime } from '../../../../lib/clock.ts'
import { parsePublicId, type Id } from '../../../../lib/ids.ts'

const text = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$', description }),
  )

export const filterFields = {
  from: text('Start time, inclusive (RFC 3339).'),
  to: text('End time, exclusive (RFC 3339).'),
  request_id: text('Only the call with this request id (req_…) or transaction id (tx_…).'),
  key: text('Only calls of this key (agk_…).'),
  agent_id: text('The same as key.'),
  external_id: text('Only calls with this external id.'),
  service: text('Only this service.'),
  action: text('Only this action.'),
  status: Type.Optional(Type.Unsafe<TransactionStatus>({ enum: [...TRANSACTION_STATUSES] })),
  kind: Type.Optional(Type.Unsafe<TransactionKind>({ enum: [...TRANSACTION_KINDS] })),
}

const cursor = Type.Optional(Type.String({ description: 'next_cursor of the previous page.' }))

export const pageFields = {
  cursor,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Maximum number of rows per page. Default: 50.',
    }),
  ),
}

export const TransactionQuery = Type.Object(
  {
    ...filterFields,
    ...pageFields,
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv' | 'ndjson'>({ enum: ['json', 'csv', 'ndjson'] }),
    ),
  },
  { additionalProperties: false },
)

const { key, agent_id, external_id, service, action } = filterFields

export const SpendingQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        description: `Number of days, including today (UTC). Default: ${USUAL_DAYS}.`,
      }),
    ),
    key,
    agent_id,
    external_id,
    service,
    action,
  },
  { additionalProperties: false },
)

export const PageFilterQuery = Type.Object(
  { ...filterFields, cursor },
  { additionalProperties: false },
)

/** Throws AppError invalid_params for an invalid time or id, or if the end precedes the start. */
export function filterOf(query: Omit<Static<typeof PageFilterQuery>, 'cursor'>): TransactionFilter {
  const keyId = readKeyId(query)
  return {
    ...readPeriod(query),
    ...(query.request_id === undefined ? {} : { id: readRequestId(query.request_id) }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(query.external_id === undefined ? {} : { externalId: query.external_id }),
    ...(query.service === undefined ? {} : { service: query.service }),
    ...(query.action === undefined ? {} : { action: query.action }),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.kind === undefined ? {} : { kind: query.kind }),
  }
}

/** Throws AppError invalid_params for an invalid time or if the end precedes the start. */
export function readPeriod({
  from,
  to,
}: {
  readonly from?: string
  readonly to?: string
}): Pick<TransactionFilter, 'fromMs' | 'toMs'> {
  const fromMs = from === undefined ? undefined : readTime('from', from)
  const toMs = to === undefined ? undefined : readTime('to', to)
  if (fromMs !== undefined && toMs !== undefined && toMs < fromMs)
    throw new AppError('invalid_params', '"to" is before "from".', {
      param: 'to',
      fix: 'Send the earlier time as "from" and the later one as "to".',
    })
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) }
}

function readTime(param: 'from' | 'to', value: string): number {
  const ms = parseTime(value)
  if (ms !== null) return ms
  throw new AppError('invalid_params', `"${param}" is not a valid time.`, {
    param,
    fix: 'Send a time such as 2027-03-01T00:00:00Z, or a date. Encode "+" as %2B in a URL.',
  })
}

function readRequestId(value: string): Id {
  const id = parsePublicId('request', value) ?? parsePublicId('transaction', value)
  if (id !== null) return id
  throw new AppError('invalid_params', '"request_id" is not a request id.', {
    param: 'request_id',
    fix: 'Send an id such as req_… from the X-Request-Id header of a response, or tx_….',
  })
}

function readKeyId(query: { readonly key?: string; readonly agent_id?: string }): Id | undefined {
  const [id, other] = (['key', 'agent_id'] as const).flatMap((param) =>
    query[param] === undefined ? [] : [parseKeyId(param, query[param])],
  )
  if (other === undefined || other === id) return id
  throw new AppError(
    'invalid_params',
    '"key" and "agent_id" are the same filter but have different values.',
    {
      param: 'agent_id',
      fix: 'Send one of them.',
    },
  )
}

function parseKeyId(param: 'key' | 'agent_id', value: string): Id {
  const id = parsePublicId('key', value)
  if (id !== null) return id
  throw new AppError('invalid_params', `"${param}" is not a key id.`, {
    param,
    fix: 'Send an id such as agk_…; GET /api/v1/agents lists them.',
  })
}
