/** The JSON format of a file in ACTIONS_DIR. `docs/own-actions.md` documents it for operators. */
import type { ErrorCode } from '../../errors/catalog.ts'
import { JSON_POINTER } from '../../lib/json-pointer.ts'
import { Type, type Static, type TSchema } from '../../lib/schema.ts'
import { params } from '../vocabulary/define.ts'
import { choice, list, optional, text, whole } from '../vocabulary/fields.ts'

/** Cents as decimal text: up to four decimals, because a micro-dollar is the finest amount. */
export const AMOUNT = '^\\d{1,9}(\\.\\d{1,4})?$'
const SERVICE_NAME = '^[a-z][a-z0-9]{1,29}$'
const ACTION_NAME = '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$'
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
const MOST_RULES = 50
const MOST_LISTED = 100
const PREDICATE_DEPTH = 3

const amount = (about: string) =>
  Type.String({ pattern: AMOUNT, description: `${about} In cents, as text such as "0.5".` })
const pointer = (about: string) =>
  Type.String({ pattern: JSON_POINTER.source, maxLength: 500, description: about })
const flag = (about: string) => Type.Boolean({ description: about })
const mapOf = (name: string, value: TSchema) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    patternProperties: { [name]: value },
    additionalProperties: false,
  })

const credential = text('The credential, such as "Bearer ${KEY}".', 200)
const headerName = text('The name of the header.', 100, { pattern: HEADER_NAME })

/** "none", one header, several headers, a query parameter, or basic authentication. */
const auth = Type.Union([
  Type.Literal('none'),
  params({ header: headerName, value: credential }),
  params({ headers: list('Headers.', params({ header: headerName, value: credential }), 5) }),
  params({ query: text('The name of the query parameter.', 100), value: credential }),
  params({ basic: params({ user: credential, password: credential }) }),
])

const limits = params({
  per_second: optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
  per_minute: optional(whole('Requests in any minute.', 1, 1_000_000)),
  per_day: optional(whole('Requests in a day.', 1, 1_000_000_000)),
  at_once: optional(whole('Requests at the same time.', 1, 10_000)),
})

const request = params({
  method: choice('The method.', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text('The path below base_url. {name} is a parameter.', 500, { pattern: '^/' }),
  tool: optional(text('The tool of an MCP server at base_url, which gets the parameters.', 200)),
  query: optional(mapOf('^.{1,100}$', {})),
  headers: optional(mapOf(HEADER_NAME, {})),
  body: optional(Type.Unknown()),
  form: optional(mapOf('^.{1,100}$', {})),
})

const price = Type.Unsafe<OwnPrice>({
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['flat', 'unit', 'actual'], description: 'The kind of the price.' } },
  discriminator: { propertyName: 'kind' },
  oneOf: [
    params({ kind: Type.Literal('flat'), cents: amount('The price of a call.') }),
    params({
      kind: Type.Literal('unit'),
      cents: amount('The price of one unit.'),
      unit: text('The unit, singular.', 40, { pattern: '^[a-z][a-z0-9 ,-]*$' }),
      at_most: Type.Union([
        whole('The most units of a call.', 1, 1_000_000),
        params({
          param: text('The parameter that counts.', 100),
          default: optional(whole('Its value if the caller omits it.', 1, 1_000_000)),
        }),
      ]),
      base_cents: optional(amount('Charged once with any delivery.')),
      minimum_cents: optional(amount('The minimum charge for the units.')),
    }),
    params({ kind: Type.Literal('actual'), cap_cents: amount('The most that a call can cost.') }),
  ],
})

function predicate(depth: number): TSchema {
  return params({
    status: optional(
      list(
        'Statuses.',
        Type.Unsafe({
          anyOf: [
            { type: 'integer', minimum: 100, maximum: 599 },
            { enum: ['2xx', '3xx', '4xx', '5xx'] },
          ],
        }),
        20,
      ),
    ),
    at: optional(pointer('Where in the answer.')),
    exists: optional(flag('Whether the value is there.')),
    equals: optional(Type.Unknown()),
    one_of: optional(list('Values.', Type.Unknown(), MOST_LISTED)),
    type: optional(
      choice('The JSON type.', ['object', 'array', 'string', 'number', 'boolean', 'null']),
    ),
    blank: optional(flag('Whether the value is missing or contains nothing.')),
    at_least: optional(Type.Number()),
    ...(depth === 1
      ? {}
      : {
          all: optional(list('All of these hold.', predicate(depth - 1), 20)),
          any: optional(list('One of these holds.', predicate(depth - 1), 20)),
        }),
  })
}

export const FAILURE_CODES = [
  'upstream_rejected',
  'upstream_not_found',
  'upstream_error',
  'upstream_busy',
  'upstream_timeout',
  'upstream_conflict',
  'upstream_payment',
  'upstream_not_configured',
  'no_results',
] as const satisfies readonly ErrorCode[]

const ENDS = ['done', 'partial', 'empty', 'failed'] as const
const end = choice('How the call ends.', [...ENDS])

const rule = params({
  when: optional(Type.Unsafe<Predicate>(predicate(PREDICATE_DEPTH))),
  is: optional(end),
  else: optional(end),
  code: optional(choice('The error code of a failure.', [...FAILURE_CODES])),
  message_at: optional(pointer("The vendor's message.")),
  units: optional(
    Type.Union([
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
      params({ count_at: pointer('A list whose filled rows count.') }),
      params({ number_at: pointer('A number of units.') }),
    ]),
  ),
  actual_cents_at: optional(pointer("The vendor's charge in cents.")),
})

const simulated = params({
  when: optional(mapOf('^.{1,100}$', {})),
  status: whole('The status.', 200, 599),
  body: optional(Type.Unknown()),
})

/** `cache`: announced, and rejected by name until calls use it. */
const action = params({
  action: text('The name.', 60, { pattern: ACTION_NAME }),
  title: optional(text('The name for people.', 80)),
  summary: text('One sentence.', 300),
  description: optional(text('What the action returns and when it charges.', 2_000)),
  keywords: optional(list('Search words.', Type.String({ minLength: 1, maxLength: 80 }), 30)),
  params: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  request,
  price,
  outcome: list('The rules. The first that holds decides.', rule, MOST_RULES),
  billing: optional(
    params({
      on_miss: optional(choice('A miss is free or charged.', ['free', 'charged'])),
      on_partial: optional(
        choice('What a partial answer costs.', ['delivered_units', 'full_price']),
      ),
    }),
  ),
  cost: optional(params({ cents: amount('What the vendor charges the operator.') })),
  cache: optional(Type.Unknown()),
  timeout_s: optional(whole('Seconds until the call fails.', 1, 300)),
  is_order: optional(flag('A repeated request buys, sends or starts something again.')),
  trusted: optional(flag('The answer contains no text of third parties.')),
  example: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  simulate: list('Answers to test keys. The first that fits applies.', simulated, MOST_LISTED),
})

export const ownFile = params({
  service: text('The name: one word in lower case.', 30, { pattern: SERVICE_NAME }),
  title: text('The name for people.', 80),
  category: optional(text('The category of the catalog.', 60)),
  base_url: text('The URL of the API.', 500, { pattern: '^https?://' }),
  private: optional(flag('The API is in a private network.')),
  docs_url: optional(text('The documentation of the API.', 500, { pattern: '^https?://' })),
  auth,
  headers: optional(mapOf(HEADER_NAME, { type: 'string', maxLength: 500 })),
  limits: optional(limits),
  actions: list('The actions.', action, 500),
})

/** A file that fits `ownFile`. */
export type OwnFile = Static<typeof ownFile>
export type OwnAction = Static<typeof action>
export type OwnAuth = Static<typeof auth>
export type OwnRequest = Static<typeof request>
export type Rule = Static<typeof rule>
export type Simulated = Static<typeof simulated>
export type End = (typeof ENDS)[number]

export type OwnPrice =
  | { readonly kind: 'flat'; readonly cents: string }
  | {
      readonly kind: 'unit'
      readonly cents: string
      readonly unit: string
      readonly at_most: number | { readonly param: string; readonly default?: number }
      readonly base_cents?: string
      readonly minimum_cents?: string
    }
  | { readonly kind: 'actual'; readonly cap_cents: string }

/** `status`, `all`, `any`, or `at` with exactly one of the tests. */
export type Predicate = {
  readonly status?: readonly (number | string)[]
  readonly at?: string
  readonly exists?: boolean
  readonly equals?: unknown
  readonly one_of?: readonly unknown[]
  readonly type?: string
  readonly blank?: boolean
  readonly at_least?: number
  readonly all?: readonly Predicate[]
  readonly any?: readonly Predicate[]
}
