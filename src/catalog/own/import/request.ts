/** The parameters and the request of an action, from an operation. */
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { joinPointer } from '../../../lib/json-pointer.ts'
import { GATEWAY_PARAM } from '../check-action.ts'
import { canBeObject } from '../check-schema.ts'
import { isReservedHeader } from '../header-names.ts'
import type { OwnRequest } from '../own-file.ts'
import { STYLES } from '../own-request.ts'
import { asText } from './as-text.ts'
import { deref } from './document.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'
import { convertSchema, type Conversion } from './schema.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** OpenAPI: these headers are described elsewhere. */
const IGNORED_HEADER = /^(accept|content-type|authorization)$/i
const JSON_BODY = /^application\/(?:[\w.+-]*\+)?json(?:;|$)/i
const FORM_BODY = 'application/x-www-form-urlencoded'

export type BuiltRequest = {
  readonly params: Fields
  readonly request: OwnRequest
}

type Draft = {
  readonly properties: Record<string, Fields>
  readonly required: string[]
  path: string
  readonly query: Record<string, unknown>
  readonly headers: Record<string, unknown>
}

/** Throws Refusal for an operation that no request of an own action can express. */
export function buildRequestOf(
  operation: Operation,
  auth: { readonly headers: readonly string[]; readonly query: string | null },
  conversion: Conversion,
): BuiltRequest {
  const { path, parameters, method: given } = operation
  const method = METHODS.find((one) => one === given)
  if (method === undefined)
    throw new Refusal(`has the method ${given}, which own actions do not have`)
  const draft: Draft = { properties: {}, required: [], path, query: {}, headers: {} }
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    if (typeof name !== 'string') throw new Refusal('has a parameter without a name')
    const isCredential =
      (place === 'header' && auth.headers.includes(name.toLowerCase())) ||
      (place === 'query' && auth.query === name)
    if (isCredential || (place === 'header' && IGNORED_HEADER.test(name))) continue
    try {
      addParameter(parameter, name, draft, conversion)
    } catch (error) {
      if (!(error instanceof Refusal) || parameter['required'] === true || place === 'path')
        throw error
      conversion.note(`the parameter "${name}" is left out: it ${error.message}`)
    }
  }
  const body = method === 'GET' ? {} : addBody(operation, draft, conversion)
  const { properties, required, query, headers } = draft
  return {
    params: { type: 'object', required, properties, additionalProperties: false },
    request: {
      method,
      path: draft.path,
      query,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...body,
    },
  }
}

function addParameter(parameter: Fields, name: string, draft: Draft, conversion: Conversion): void {
  const { in: place, description } = parameter
  const own = convertSchema(schemaOf(parameter), conversion)
  const shown = typeof description === 'string' ? convertSchema({ description }, conversion) : {}
  const schema = { ...own, ...shown }
  conversion.hints.set(schema, {
    ...conversion.hints.get(own),
    ...(parameter['example'] === undefined
      ? firstExample(parameter, conversion)
      : { example: parameter['example'] }),
  })
  if (place === 'path') return addToPath(parameter, name, schema, draft)
  if (place === 'query' || place === 'querystring')
    return addToQuery(parameter, name, schema, draft)
  if (place !== 'header')
    throw new Refusal(`is in "${asText(place)}", where the gateway sends nothing`)
  if (isReservedHeader(name)) throw new Refusal('is a header that the gateway sets')
  if (!isScalar(schema)) throw new Refusal('is a list or an object in a header')
  draft.headers[name] = {
    from: joinPointer('', add(draft, name, schema, parameter['required'] === true)),
  }
}

function schemaOf(parameter: Fields): unknown {
  const { schema, content } = parameter
  if (schema !== undefined || content === undefined) return schema ?? {}
  const [[type, media] = ['', {}]] = Object.entries(fieldsOf(content))
  if (parameter['in'] === 'querystring' && type === FORM_BODY) return fieldsOf(media)['schema']
  throw new Refusal(`is sent as ${type}`)
}

function firstExample(
  { examples }: Fields,
  { document }: Conversion,
): { readonly example?: unknown } {
  const [first] = isFields(examples) ? Object.values(examples) : []
  const example = first === undefined ? undefined : fieldsOf(deref(document, first))['value']
  return example === undefined ? {} : { example }
}

function isScalar(schema: Fields): boolean {
  const types = [schema['type']].flat()
  return !types.includes('array') && !types.includes('object') && schema['anyOf'] === undefined
}

/** The checker takes values of exactly one type in a path. */
function addToPath({ style = 'simple' }: Fields, name: string, given: Fields, draft: Draft): void {
  if (!isScalar(given)) throw new Refusal(`has a list or an object in its path ("${name}")`)
  const types = [given['type']].flat().filter((type) => type !== 'null' && type !== undefined)
  const schema = { ...given, type: types.length === 1 ? types[0] : 'string' }
  const place = `{${name}}`
  if (!draft.path.includes(place)) throw new Refusal(`has no place for "${name}" in its path`)
  const own = add(draft, name, schema, true, /\W/g)
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : ''
  draft.path = draft.path.replaceAll(place, `${prefix}{${own}}`)
}

function addToQuery(parameter: Fields, name: string, given: Fields, draft: Draft): void {
  const { style = 'form', explode = style === 'form', required } = parameter
  const known = STYLES.find((one) => one === style)
  const isWhole = parameter['in'] === 'querystring'
  if (known === undefined && !isWhole) throw new Refusal(`has the style "${asText(style)}"`)
  const isSpread = (explode === true && known === 'form') || isWhole
  const isObject = [given['type']].flat().includes('object')
  if (!isScalar(given)) requireFlat(given, known)
  const spread = isObject && isSpread
  if (isSpread && !isObject && canBeObject(given) && given['anyOf'] !== undefined)
    throw new Refusal('can be an object or something else')
  const schema = spread ? { ...given, additionalProperties: false } : typed(given)
  const own = add(draft, name, schema, required === true)
  const from = joinPointer('', own)
  draft.query[name] =
    isScalar(schema) || (known === 'form' && explode === true)
      ? { from }
      : { from, style: known ?? 'form', explode: isWhole || explode === true }
}

/** A schema without a type could be an object, whose members would become parameters. */
function typed(schema: Fields): Fields {
  const values = schema['enum'] ?? schema['const'] ?? schema['type'] ?? schema['anyOf']
  return values === undefined ? { ...schema, type: ['string', 'number', 'boolean'] } : schema
}

/** A query takes lists and objects of text, numbers and flags. */
function requireFlat(schema: Fields, style: string | undefined): void {
  const parts = [
    ...Object.values(fieldsOf(schema['properties'])),
    ...(isFields(schema['items']) ? [schema['items']] : []),
  ]
  if (!parts.every((part) => isScalar(fieldsOf(part))))
    throw new Refusal('contains lists or objects of lists or objects')
  if (style === 'deepObject' && [schema['type']].flat().includes('array'))
    throw new Refusal('is a list with the style "deepObject"')
}

function add(
  draft: Pick<Draft, 'properties' | 'required'>,
  name: string,
  schema: Fields,
  isRequired: boolean,
  odd = /[^\w-]/g,
): string {
  const text = name.replaceAll(odd, '_').replaceAll(/_+$/g, '').slice(0, 90)
  const start = /^[A-Za-z_]/.test(text) ? text : `p_${text}`
  const base = GATEWAY_PARAM.test(start) ? `${start}_` : start
  let own = base
  for (let count = 2; Object.hasOwn(draft.properties, own); count += 1) own = `${base}_${count}`
  draft.properties[own] = schema
  if (isRequired) draft.required.push(own)
  return own
}

function addBody({ fields }: Operation, draft: Draft, conversion: Conversion): Partial<OwnRequest> {
  const given = deref(conversion.document, fields['requestBody'])
  if (!isFields(given)) return { body: null }
  const content = fieldsOf(given['content'])
  const types = Object.keys(content)
  const isRequired = given['required'] === true
  const json =
    types.find((type) => JSON_BODY.test(type) && !/json-patch/i.test(type)) ??
    types.find((type) => type === '*/*')
  if (json !== undefined) return addJson(fieldsOf(content[json]), isRequired, draft, conversion)
  if (types.includes(FORM_BODY)) return addForm(fieldsOf(content[FORM_BODY]), draft, conversion)
  throw new Refusal(
    `takes a body of ${types.join(', ') || 'no type'}, which own actions cannot send`,
  )
}

function addJson(
  media: Fields,
  isRequired: boolean,
  draft: Draft,
  conversion: Conversion,
): Partial<OwnRequest> {
  const schema = convertSchema(media['schema'] ?? {}, conversion)
  const example = media['example'] ?? firstExample(media, conversion).example
  const { properties, required, additionalProperties } = schema
  const needed = Array.isArray(required) ? required.map(asText) : []
  const isPlain =
    schema['type'] === 'object' &&
    isFields(properties) &&
    Object.keys(properties).length > 0 &&
    (additionalProperties ?? false) === false
  if (!isPlain || (!isRequired && needed.length > 0)) {
    const hinted = { ...schema }
    conversion.hints.set(hinted, {
      ...conversion.hints.get(schema),
      ...(example === undefined ? {} : { example }),
    })
    return { body: { from: joinPointer('', add(draft, 'body', hinted, isRequired)) } }
  }
  const shown = fieldsOf(example)
  const body = Object.entries(properties).map(([name, part]) => {
    const own = fieldsOf(part)
    if (Object.hasOwn(shown, name) && conversion.hints.get(own)?.example === undefined)
      conversion.hints.set(own, { ...conversion.hints.get(own), example: shown[name] })
    return [name, { from: joinPointer('', add(draft, name, own, needed.includes(name))) }]
  })
  return { body: Object.fromEntries(body) as Fields }
}

function addForm(media: Fields, draft: Draft, conversion: Conversion): Partial<OwnRequest> {
  const { properties, required } = convertSchema(media['schema'] ?? {}, conversion)
  const needed = Array.isArray(required) ? required.map(asText) : []
  const form = Object.entries(fieldsOf(properties)).flatMap(([name, part]) => {
    const schema = fieldsOf(part)
    if (isScalar(schema))
      return [
        [name, { from: joinPointer('', add(draft, name, typed(schema), needed.includes(name))) }],
      ]
    if (needed.includes(name)) throw new Refusal(`has a form with a list or an object ("${name}")`)
    conversion.note(`the form field "${name}" is left out: it is a list or an object`)
    return []
  })
  return { form: Object.fromEntries(form) as Fields }
}
