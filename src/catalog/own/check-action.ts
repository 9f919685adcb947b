/** Rules for the parameters, the request and the price of one action. */
import { cents, MICROS_PER_DOLLAR } from '../../lib/money.ts'
import { fieldsOf, isFields } from '../../lib/json-fields.ts'
import { partsOf } from '../../lib/json-pointer.ts'
import { checkOutcome } from './check-outcome.ts'
import { canBeObject, checkSchema } from './check-schema.ts'
import type { Report } from './faults.ts'
import { isReservedHeader, isSecretHeader } from './header-names.ts'
import type { OwnAction } from './own-file.ts'
import {
  isBodyFrom,
  isFrom,
  namedParams,
  placeholdersOf,
  restPlace,
  STYLES,
} from './own-request.ts'
import { propertyOf } from './to-record.ts'

const PARAM_NAME = /^[A-Za-z_][\w-]{0,99}$/
/** Parameters of every call (src/catalog/published/call-params.ts and src/calls/quote/read-input.ts). */
export const GATEWAY_PARAM =
  /^(max_?cost(_?(cents?|usd))?|price_id|webhook_url|confirm_loop|max_chars|idempotency_key)$/i
const SCALAR_TYPES = ['string', 'integer', 'number', 'boolean']
const MOST_HELD = 1_000_000n * MICROS_PER_DOLLAR

/** Names of headers in lower case, and of a query parameter, that carry the credentials. */
export type CredentialNames = {
  readonly headers: readonly string[]
  readonly query: string | null
}

export function checkAction(action: OwnAction, credentials: CredentialNames, report: Report): void {
  if (action.cache !== undefined) report('is not supported yet: remove it', 'cache')
  checkParams(action, report)
  const { properties = {}, required = [] } = action.params
  if (!isFields(properties) || !Array.isArray(required)) return
  checkRequest(action, report)
  checkCredentials(action, credentials, report)
  checkSpread(action, credentials, report)
  checkPrice(action, report)
  checkOutcome(action, report)
}

function checkParams({ params }: OwnAction, report: Report): void {
  if (params['type'] !== 'object') report('must be "object"', 'params', 'type')
  if ((params['additionalProperties'] ?? false) !== false)
    report('must be false: unknown parameters are rejected', 'params', 'additionalProperties')
  const { properties = {}, required = [] } = params
  if (!isFields(properties)) return report('must be an object', 'params', 'properties')
  for (const name of Object.keys(properties)) {
    if (!PARAM_NAME.test(name)) report('is not a name of a parameter', 'params', 'properties', name)
    if (GATEWAY_PARAM.test(name))
      report('is a parameter of the gateway: choose another name', 'params', 'properties', name)
  }
  if (!Array.isArray(required)) return report('must be a list', 'params', 'required')
  for (const [index, name] of required.entries())
    if (!Object.hasOwn(properties, String(name)))
      report('is not in "properties"', 'params', 'required', index)
  checkSchema(params, ['params'], report)
}

function checkRequest({ request, params }: OwnAction, report: Report): void {
  const { path, method, query = {}, headers = {}, form = {}, body } = request
  const at = (problem: string, ...place: readonly string[]) => report(problem, 'request', ...place)
  const isKnown = (name: string) => Object.hasOwn(params['properties'] ?? {}, name)
  const required = Array.isArray(params['required']) ? (params['required'] as unknown[]) : []
  if (/[?#\\\s]|\/\/|(^|\/)\.\.?(\/|$)/.test(path) || /[{}]/.test(path.replaceAll(/\{\w+\}/g, '')))
    at('must be a path such as "/companies/{id}", without "?", "#", ".." and "//"', 'path')
  for (const name of placeholdersOf(path))
    if (!isKnown(name)) at(`names the unknown parameter "${name}"`, 'path')
    else if (!SCALAR_TYPES.includes(String(propertyOf(params, name).type)))
      at(`needs text or a number for "${name}"`, 'path')
    else if (!required.includes(name) && propertyOf(params, name).default === undefined)
      at(`needs "${name}", which must be required`, 'path')
  const checkFrom = (value: unknown, ...place: readonly string[]): void => {
    if (!isFrom(value)) return
    const [name = ''] = partsOf(value.from)
    if (value.from !== '' && !isKnown(name))
      at(`names the unknown parameter "${name}"`, ...place, 'from')
    if (value.style !== undefined && !STYLES.includes(value.style))
      at(`must be one of ${STYLES.join(', ')}`, ...place, 'style')
    for (const odd of Object.keys(value))
      if (!['from', 'style', 'explode'].includes(odd)) at('is unknown', ...place, odd)
  }
  for (const [place, values] of Object.entries({ query, headers, form }))
    for (const [name, value] of Object.entries(values)) {
      if (isFrom(value)) checkFrom(value, place, name)
      else if (!SCALAR_TYPES.includes(typeof value))
        at('must be text, a number, true, false or {"from": "/parameter"}', place, name)
    }
  for (const name of Object.keys(headers)) {
    if (isReservedHeader(name)) at('is a header that the gateway sets', 'headers', name)
    if (isSecretHeader(name) && !isFrom(headers[name]))
      at('may hold a secret: put credentials into "auth", as ${KEY}', 'headers', name)
  }
  const isPlainPost = method === 'POST' && request.query === undefined && request.form === undefined
  if (request.tool !== undefined && !isPlainPost)
    at('needs the method POST, without "query" and "form"', 'tool')
  checkBody(body, ['body'])
  if (method === 'GET' && body !== undefined && body !== null) at('is not sent with GET', 'body')
  if (body !== undefined && body !== null && request.form !== undefined)
    at('excludes "body"', 'form')
  const named = namedParams(request)
  const isWhole = named.has('')
  if (restPlace(request) === null && !isWhole)
    for (const name of Object.keys(params['properties'] ?? {}))
      if (!named.has(name))
        report('is sent nowhere: name it in "request"', 'params', 'properties', name)

  function checkBody(part: unknown, place: readonly string[]): void {
    if (isBodyFrom(part)) checkFrom(part, ...place)
    else if (typeof part === 'object' && part !== null)
      for (const [name, inner] of Object.entries(part)) checkBody(inner, [...place, name])
  }
}

function checkCredentials(
  { request: { headers = {}, query = {} } }: OwnAction,
  credentials: CredentialNames,
  report: Report,
): void {
  const isCredential = 'carries the credential of "auth": choose another name'
  for (const name of Object.keys(headers))
    if (credentials.headers.includes(name.toLowerCase()))
      report(isCredential, 'request', 'headers', name)
  for (const name of Object.keys(query))
    if (name === credentials.query) report(isCredential, 'request', 'query', name)
}

/** The members of an object become parameters of the query, and its caller chooses their names. */
function checkSpread(
  { request, params }: OwnAction,
  credentials: CredentialNames,
  report: Report,
): void {
  const { query = {} } = request
  const named = namedParams(request)
  const rest =
    restPlace(request) === 'query'
      ? Object.keys(params['properties'] ?? {}).filter((name) => !named.has(name))
      : []
  const spread = [
    ...Object.entries(query).flatMap(([name, from]) =>
      isFrom(from) && (from.explode ?? true) && (from.style ?? 'form') !== 'deepObject'
        ? [{ schema: schemaAt(params, partsOf(from.from)), name, at: ['request', 'query', name] }]
        : [],
    ),
    ...rest.map((name) => ({
      schema: schemaAt(params, [name]),
      name,
      at: ['params', 'properties', name],
    })),
  ]
  for (const { schema, name, at } of spread) {
    if (!canBeObject(schema)) continue
    const { properties = {}, additionalProperties } = fieldsOf(schema)
    if (additionalProperties !== false)
      report(
        'spreads an object over the query: give it "additionalProperties": false, or the style "deepObject"',
        ...at,
      )
    const taken = [...Object.keys(query), ...rest, credentials.query].filter((one) => one !== name)
    for (const member of Object.keys(fieldsOf(properties)))
      if (taken.includes(member))
        report(`spreads a member "${member}", which is another parameter of the query`, ...at)
  }
}

function schemaAt(params: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>(
    (schema, part) => fieldsOf(fieldsOf(schema)['properties'])[part] ?? {},
    params,
  )
}

function checkPrice({ price, params }: OwnAction, report: Report): void {
  const at = (problem: string, ...place: readonly string[]) => report(problem, 'price', ...place)
  const [field, text] =
    price.kind === 'actual' ? ['cap_cents', price.cap_cents] : ['cents', price.cents]
  if (cents(text) === 0n)
    return at('must be above 0: each call sends a request to a third party', field)
  if (price.kind !== 'unit') return
  const most = mostUnits()
  const others = [price.base_cents ?? '0', price.minimum_cents ?? '0'].map(cents)
  if (most !== undefined && cents(price.cents) * BigInt(most) + (others[0] ?? 0n) > MOST_HELD)
    at('allows a call above $1,000,000: lower the maximum', 'at_most')

  function mostUnits(): number | undefined {
    if (price.kind !== 'unit' || typeof price.at_most === 'number')
      return price.kind === 'unit' ? Number(price.at_most) : undefined
    const { param, default: preset } = price.at_most
    const schema = propertyOf(params, param)
    const { type, default: own } = schema
    const [minimum, maximum] = [wholeOf(schema.minimum), wholeOf(schema.maximum)]
    const [minItems, maxItems] = [wholeOf(schema.minItems), wholeOf(schema.maxItems)]
    const required = Array.isArray(params['required']) && params['required'].includes(param)
    const place = ['at_most', 'param']
    if (type === 'array') {
      if (maxItems === undefined) at(`needs "maxItems" in the schema of "${param}"`, ...place)
      // A call of no units would hold and cost nothing, and reach the vendor.
      if (minItems === undefined || minItems < 1)
        at(`needs "minItems" of at least 1 in the schema of "${param}"`, ...place)
      if (preset !== undefined) at('has no effect for a list', 'at_most', 'default')
      if (!required) at(`needs "${param}", which must be required`, ...place)
      return maxItems
    }
    if (type !== 'integer') at('must be a parameter of type "integer" or "array"', ...place)
    else if (maximum === undefined) at(`needs "maximum" in the schema of "${param}"`, ...place)
    else if (minimum === undefined || minimum < 1)
      at(`needs "minimum" of at least 1 in the schema of "${param}"`, ...place)
    else if (preset === undefined && own === undefined && !required)
      at(`needs "default", because callers may omit "${param}"`, 'at_most')
    else if (preset !== undefined && (preset > maximum || preset < minimum))
      at(`must be from ${minimum} to ${maximum}`, 'at_most', 'default')
    return maximum
  }
}

function wholeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}
