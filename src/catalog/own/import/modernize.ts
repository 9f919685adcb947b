/** Converts an operation of Swagger 2.0 to the form of OpenAPI 3. */
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { asText } from './as-text.ts'
import type { Operation } from './operation.ts'

/** Members of a parameter that are no part of its schema. */
const OUTSIDE = new Set([
  'name',
  'in',
  'required',
  'description',
  'collectionFormat',
  'allowEmptyValue',
  'schema',
])
const STYLES: Readonly<Record<string, readonly [style: string, explode: boolean]>> = {
  csv: ['form', false],
  ssv: ['spaceDelimited', false],
  tsv: ['tabDelimited', false],
  pipes: ['pipeDelimited', false],
  multi: ['form', true],
}

export function toModern(operation: Operation, root: Fields): Operation {
  const { fields, parameters } = operation
  const consumes = typesOf(fields['consumes'] ?? root['consumes'])
  const produces = typesOf(fields['produces'] ?? root['produces'])
  const body = parameters.find((one) => one['in'] === 'body')
  const form = parameters.filter((one) => one['in'] === 'formData')
  const content =
    body !== undefined ? contentOf(consumes, body['schema'] ?? {}) : contentOfForm(consumes, form)
  const requestBody =
    content === null
      ? {}
      : {
          requestBody: {
            required: body === undefined ? form.some(isRequired) : isRequired(body),
            description: body?.['description'],
            content,
          },
        }
  const responses = Object.entries(fieldsOf(fields['responses'])).map(([status, response]) => [
    status,
    toResponse(fieldsOf(response), produces),
  ])
  return {
    ...operation,
    fields: { ...fields, ...requestBody, responses: Object.fromEntries(responses) },
    parameters: parameters
      .filter((one) => !['body', 'formData'].includes(asText(one['in'])))
      .map(toParameter),
  }
}

function isRequired(parameter: Fields): boolean {
  return parameter['required'] === true
}

function typesOf(value: unknown): readonly string[] {
  return Array.isArray(value) && value.length > 0 ? value.map(asText) : ['application/json']
}

function contentOf(types: readonly string[], schema: unknown): Fields {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

function contentOfForm(consumes: readonly string[], form: readonly Fields[]): Fields | null {
  if (form.length === 0) return null
  const hasFile = form.some((one) => one['type'] === 'file')
  const isMultipart = hasFile || (consumes.includes('multipart/form-data') && consumes.length === 1)
  const type = isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return contentOf([type], {
    type: 'object',
    required: form.filter(isRequired).map((one) => one['name']),
    properties: Object.fromEntries(form.map((one) => [asText(one['name']), schemaOf(one)])),
  })
}

function toParameter(parameter: Fields): Fields {
  const { name, in: place, required, description, collectionFormat } = parameter
  const format = typeof collectionFormat === 'string' ? collectionFormat : 'csv'
  const [style, explode] = STYLES[format] ?? ['unknown', false]
  const isList = parameter['type'] === 'array' && place === 'query'
  return {
    name,
    in: place,
    required,
    description,
    schema: schemaOf(parameter),
    ...(isList ? { style, explode } : {}),
  }
}

function schemaOf(parameter: Fields): Fields {
  const { description } = parameter
  const own = Object.entries(parameter).filter(([name]) => !OUTSIDE.has(name))
  return { ...Object.fromEntries(own), description }
}

function toResponse(response: Fields, produces: readonly string[]): Fields {
  const { schema, examples } = response
  if (schema === undefined) return response
  const named = fieldsOf(examples)
  return {
    ...response,
    content: Object.fromEntries(
      produces.map((type) => [
        type,
        { schema, ...(type in named ? { example: named[type] } : {}) },
      ]),
    ),
  }
}

/** The server of a document of version 2.0. */
export function serverOf({ host, basePath, schemes }: Fields): readonly Fields[] {
  if (typeof host !== 'string') return []
  const listed = Array.isArray(schemes) ? schemes.map(asText) : ['https']
  const scheme = listed.includes('https') ? 'https' : (listed[0] ?? 'https')
  return listedFields([
    { url: `${scheme}://${host}${typeof basePath === 'string' ? basePath : ''}` },
  ])
}
