/** Builds the service of a checked file, in the vocabulary of the catalog. */
import { cents } from '../../lib/money.ts'
import { Type, type TObject } from '../../lib/schema.ts'
import { call, defineService } from '../vocabulary/define.ts'
import type { CallAction, Service } from '../vocabulary/action.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { flat, type Counted, type Price } from '../vocabulary/tariff.ts'
import { keyHeaders, keyQuery, noAuth, type Auth, type Vendor } from '../vocabulary/wire.ts'
import { decideOutcome, isKept, isSuccess } from './outcome-rules.ts'
import type { OwnAction, OwnAuth, OwnFile, OwnPrice, Predicate } from './own-file.ts'
import { buildRequest } from './own-request.ts'

const DEFAULT_TIMEOUT_S = 30
const BUSY = 429
const CREDENTIAL = /^([^$]*)\$\{([A-Z][A-Z0-9_]*)\}$/
/** `UPSTREAM_ACME_A_KEY` would name the service "acme-a". */
const AMBIGUOUS = /^(URL$|[A-D]_)/

/** Takes a file without faults. */
export function toService(file: OwnFile): Service {
  return defineService({
    id: file.service,
    title: file.title,
    category: file.category ?? 'own actions',
    vendor: toVendor(file),
    actions: Object.fromEntries(file.actions.map((one) => [one.action, toAction(file, one)])),
  })
}

function toVendor({ base_url: baseUrl, docs_url: docsUrl = baseUrl, ...file }: OwnFile): Vendor {
  const { per_second: perSecond, per_minute: perMinute, per_day: perDay } = file.limits ?? {}
  const concurrent = file.limits?.at_once
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    auth: toAuth(file.auth),
    docsUrl,
    ...(file.private === true ? { isPrivate: true } : {}),
    ...(file.headers === undefined
      ? {}
      : { headers: file.headers as Readonly<Record<string, string>> }),
    ...(file.limits === undefined
      ? {}
      : {
          limits: {
            ...(perSecond === undefined ? {} : { perSecond }),
            ...(perMinute === undefined ? {} : { perMinute }),
            ...(perDay === undefined ? {} : { perDay }),
            ...(concurrent === undefined ? {} : { concurrent }),
          },
        }),
  }
}

export type Credential = { readonly prefix: string; readonly name: string }

/** The name of the setting in a value such as "Bearer ${KEY}". Undefined for any other text. */
export function readCredential(value: string): Credential | undefined {
  const [, prefix, name] = CREDENTIAL.exec(value) ?? []
  return prefix === undefined || name === undefined || AMBIGUOUS.test(name)
    ? undefined
    : { prefix, name }
}

const nameIn = (value: string): string => readCredential(value)?.name ?? ''

export function toAuth(auth: OwnAuth): Auth {
  if (auth === 'none') return noAuth
  if ('header' in auth) {
    const { prefix, name } = readCredential(auth.value) ?? { prefix: '', name: '' }
    const header = { in: 'header', name: auth.header.toLowerCase(), credential: name } as const
    return prefix === '' ? header : { ...header, prefix }
  }
  if ('headers' in auth)
    return keyHeaders(
      Object.fromEntries(
        auth.headers.map(({ header, value }) => [header.toLowerCase(), nameIn(value)]),
      ),
    )
  if ('query' in auth) return keyQuery(auth.query, nameIn(auth.value))
  return { in: 'basic', user: nameIn(auth.basic.user), password: nameIn(auth.basic.password) }
}

function toAction(file: OwnFile, own: OwnAction): CallAction {
  const price = toPrice(own.price, own.params)
  const acceptedStatuses = acceptedBy(own)
  return call({
    ...(own.title === undefined ? {} : { title: own.title }),
    summary: own.summary,
    ...(own.description === undefined ? {} : { description: own.description }),
    keywords: own.keywords ?? [],
    input: toInput(own.params),
    example: own.example,
    price,
    priceSource: 'Set by the operator of this gateway.',
    billing: {
      chargeWhen: 'result',
      onMiss: own.billing?.on_miss ?? 'free',
      onPartial:
        own.billing?.on_partial ?? (price.kind === 'flat' ? 'full_price' : 'delivered_units'),
    },
    timeoutMs: (own.timeout_s ?? DEFAULT_TIMEOUT_S) * 1000,
    untrustedContent: own.trusted !== true,
    ...(own.is_order === true ? { isOrder: true } : {}),
    check: (input: Data) => void buildRequest(own.request, input),
    request: (input: Data) => ({
      ...buildRequest(own.request, input),
      ...(acceptedStatuses.length === 0 ? {} : { acceptedStatuses }),
    }),
    reply: Type.Unknown(),
    outcome: (reply) => decideOutcome(own.outcome, file.service, reply),
  })
}

/** Callers may omit parameters with a default. Unknown parameters are rejected. */
export function toInput(params: OwnAction['params']): TObject {
  const { properties = {}, required = [] } = params as {
    readonly properties?: Readonly<Record<string, object>>
    readonly required?: readonly string[]
  }
  return {
    ...params,
    properties,
    required: required.filter((name) => !Object.hasOwn(properties[name] ?? {}, 'default')),
    additionalProperties: false,
  } as unknown as TObject
}

export function toPrice(own: OwnPrice, params: OwnAction['params']): Price<Data> {
  if (own.kind === 'flat') return flat(cents(own.cents))
  // The API learns of no limit and delivers all, so a lower max_cost_cents must not pay for a part.
  if (own.kind === 'actual') {
    const cap = cents(own.cap_cents)
    return { kind: 'actual', cap, atMost: () => cap }
  }
  const { at_most: most, unit } = own
  return {
    kind: 'unit',
    rate: cents(own.cents),
    unit,
    ...countedBy(most, params),
    ...(own.base_cents === undefined ? {} : { base: cents(own.base_cents) }),
    ...(own.minimum_cents === undefined ? {} : { minimum: cents(own.minimum_cents) }),
  }
}

type UnitPrice = Extract<OwnPrice, { kind: 'unit' }>

function countedBy(
  most: UnitPrice['at_most'],
  params: OwnAction['params'],
): { readonly atMost: (input: Data) => number; readonly counted: Counted<Data> } {
  if (typeof most === 'number')
    return { atMost: () => most, counted: { by: 'vendor', least: () => most } }
  const { param, default: preset } = most
  const { type, minimum } = propertyOf(params, param)
  const least = (): number => Number(minimum)
  if (type === 'array')
    return {
      atMost: ({ [param]: items }) => (Array.isArray(items) ? items.length : 0),
      counted: { by: 'list' },
    }
  return {
    atMost: ({ [param]: count }) => Number(count ?? preset ?? 0),
    counted:
      preset === undefined
        ? { by: 'number', field: param, least }
        : { by: 'number', field: param, least, defaultCount: preset },
  }
}

export type Property = {
  readonly type?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly minItems?: unknown
  readonly maxItems?: unknown
  readonly default?: unknown
}

export function propertyOf(params: OwnAction['params'], name: string): Property {
  const { properties = {} } = params as { readonly properties?: Readonly<Record<string, Property>> }
  return Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}
}

/** Statuses outside 2xx that a rule names. The gateway reads the others itself. */
function acceptedBy({ outcome }: Pick<OwnAction, 'outcome'>): readonly number[] {
  const named = outcome.flatMap(({ when }) => (when === undefined ? [] : statusesOf(when)))
  return [...new Set(named)]
    .filter((status) => !isSuccess(status) && !isKept(status))
    .toSorted((a, b) => a - b)
}

/** Every status that a predicate names, with the whole class for "4xx" except 429. */
export function statusesOf({
  status: named = [],
  all = [],
  any = [],
}: Predicate): readonly number[] {
  const own = named.flatMap((one) =>
    typeof one === 'number'
      ? [one]
      : Array.from({ length: 100 }, (_, index) => Number(one[0]) * 100 + index).filter(
          (status) => status !== BUSY,
        ),
  )
  return [...own, ...[...all, ...any].flatMap(statusesOf)]
}
