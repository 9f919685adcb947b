import type { CallFilter } from '../../../../history/calls/call-filter.ts'
import { errorCatalog } from '../../../../errors/catalog.ts'
import { DAY_MS } from '../../../../lib/clock.ts'
import { callFilterOf, type CallFilterQuery } from './call-query.ts'

/** The fields of the page /calls, as in its address. */
const FILTER_FIELDS = ['q', 'charge', 'http', 'surface', 'last', 'key', 'cursor'] as const
export type CallsFilter = Readonly<Partial<Record<(typeof FILTER_FIELDS)[number], string>>>

export const HTTP_CHOICES = { '2xx': '2xx', '4xx': '4xx', '5xx': '5xx' } as const
export const LAST_CHOICES = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
} as const

const HOUR_MS = DAY_MS / 24
const PERIODS_MS: Readonly<Record<keyof typeof LAST_CHOICES, number>> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
}

/** Reads the filter from the query of the page. The last value of a repeated field counts. */
export function readCallsFilter(query: unknown): CallsFilter {
  const given = query as Readonly<Record<string, string | readonly string[] | undefined>>
  const fields = FILTER_FIELDS.flatMap((name) => {
    const value = given[name]
    const text = (typeof value === 'string' ? value : (value?.at(-1) ?? '')).trim()
    return text === '' ? [] : [[name, text] as const]
  })
  return Object.fromEntries(fields)
}

/**
 * The filter of the list. `validate` checks the fields as those of the API. Throws AppError
 * invalid_params for invalid ones.
 */
export function listFilterOf(
  filter: CallsFilter,
  keyId: string | undefined,
  {
    nowMs,
    isService,
    validate,
  }: {
    readonly nowMs: number
    readonly isService: (id: string) => boolean
    readonly validate: (query: object) => CallFilterQuery
  },
): CallFilter {
  const { q = '', charge, http, surface, last } = filter
  const query = validate({
    ...searchOf(q, isService),
    ...(charge === undefined ? {} : { charge }),
    ...(http === undefined ? {} : { http_status: http }),
    ...(surface === undefined ? {} : { surface }),
    ...(keyId === undefined ? {} : { key: keyId }),
  })
  const period = last === undefined || !isPeriod(last) ? undefined : PERIODS_MS[last]
  return {
    ...callFilterOf(query),
    ...(period === undefined ? {} : { fromMs: nowMs - period }),
  }
}

function isPeriod(text: string): text is keyof typeof LAST_CHOICES {
  return Object.hasOwn(LAST_CHOICES, text)
}

/** A request id, an error code, an HTTP status, a service, an action, or a model. */
function searchOf(text: string, isService: (id: string) => boolean): object {
  if (text === '') return {}
  if (/^(?:req|tx)_/.test(text)) return { request_id: text }
  if (Object.hasOwn(errorCatalog, text)) return { error_code: text }
  if (/^[2-5](?:\d\d|xx)$/.test(text)) return { http_status: text }
  if (isService(text)) return { service: text }
  const [service = '', ...rest] = text.split('/')
  // Names of models have a slash, too.
  return rest.length > 0 && isService(service)
    ? { service, action: rest.join('/') }
    : { action: text }
}
