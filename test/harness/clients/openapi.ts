/** Reads an OpenAPI document as a client does and compares answers with it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import { AppError } from '../../../src/errors/app-error.ts'

type Json = Readonly<Record<string, unknown>>
type Content = Readonly<Record<string, { readonly schema: Json }>>
type Response = { readonly $ref?: string; readonly content?: Content; readonly headers?: Json }
type Operation = {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> } & Json
}

export type OpenApiChecker = {
  readonly operations: readonly { readonly method: string; readonly path: string }[]
  body(method: string, path: string): unknown
  queryNames(path: string): string[]
  /** The differences between the answer and the document; empty when it conforms. */
  response(
    method: string,
    path: string,
    response: Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>,
  ): string[]
}

const METHODS = new Set(['get', 'post', 'patch', 'delete', 'put'])
const ID = 'openapi'

export function openApiChecker(document: OpenApi): OpenApiChecker {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
  })
  ajv.addSchema({ $id: ID, components: closed(document.components) })
  const compiled = new Map<string, ValidateFunction>()

  function operation(method: string, path: string): Operation {
    const found = document.paths[path]?.[method.toLowerCase()]
    if (found === undefined)
      throw new AppError('not_found', `${method} ${path} is not in the document.`)
    return found
  }

  function responseOf(method: string, path: string, status: number): Response | undefined {
    const told = operation(method, path).responses[String(status)]
    return told?.$ref === undefined
      ? told
      : document.components.responses[told.$ref.split('/').at(-1) ?? '']
  }

  function validatorOf(key: string, schema: Json): ValidateFunction {
    const known = compiled.get(key)
    if (known !== undefined) return known
    const validate = ajv.compile(
      JSON.parse(
        JSON.stringify(closed(schema)).replaceAll('"#/components', `"${ID}#/components`),
      ) as Json,
    )
    compiled.set(key, validate)
    return validate
  }

  return {
    operations: Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => METHODS.has(name))
        .map((method) => ({ method: method.toUpperCase(), path })),
    ),
    body: (method, path) =>
      operation(method, path).requestBody?.content['application/json']?.schema,
    queryNames: (path) =>
      (operation('GET', path).parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name = '' }) => name),
    response(method, path, { statusCode, headers, body }) {
      const told = responseOf(method, path, statusCode)
      if (told === undefined) return [`status ${statusCode} is not documented`]
      const type = String(headers['content-type']).split(';', 1)[0] ?? ''
      const schema = told.content?.[type]?.schema
      if (schema === undefined) return [`the type ${type} is not documented`]
      const validate = validatorOf(`${method} ${path} ${statusCode} ${type}`, schema)
      const value: unknown =
        type === 'application/json' || type === 'application/problem+json' ? JSON.parse(body) : body
      return validate(value)
        ? []
        : (validate.errors ?? []).map(
            ({ instancePath, message, params }) =>
              `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
          )
    },
  }
}

/** The schema with `additionalProperties: false` in every object that lists its fields, to find undocumented fields. */
function closed(value: unknown): Json {
  return close(value) as Json
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, name === 'enum' || name === 'const' ? inner : close(inner)] as const,
  )
  const isOpen = 'additionalProperties' in value || !('properties' in value) || !('type' in value)
  return Object.fromEntries(isOpen ? entries : [...entries, ['additionalProperties', false]])
}
