/**
 * How to send a paid request, for x402 catalogs: the "bazaar" extension of version 2, and
 * `outputSchema` of version 1.
 */
import type { Discovery } from './acceptance.ts'

// The extension is sent in a response header, and common clients accept 16 KiB of headers in total.
const LONGEST_SCHEMA = 3_000
const LONGEST_EXAMPLE = 1_500
const ANSWER = { ok: true, data: {}, charged_cents: 1, charged_micros: 10_000, request_id: 'req_0' }

// Long schemas would be rebuilt for every 402. The cached ones live as long as the catalog.
const extensions = new WeakMap<object, object>()
const schemas1 = new WeakMap<object, object>()

export function discoveryExtension(discovery: Discovery): object {
  return cached(extensions, discovery, makeExtension)
}

export function discoveryOfVersion1(discovery: Discovery): object {
  return cached(schemas1, discovery, makeSchema1)
}

function cached(
  made: WeakMap<object, object>,
  discovery: Discovery,
  make: (discovery: Discovery) => object,
): object {
  const known = made.get(discovery.schema) ?? make(discovery)
  made.set(discovery.schema, known)
  return known
}

function makeExtension({ example, schema }: Discovery): object {
  const body = ifShort(schema, LONGEST_SCHEMA) ?? { type: 'object' }
  return {
    info: {
      input: {
        type: 'http',
        method: 'POST',
        bodyType: 'json',
        body: ifShort(example, LONGEST_EXAMPLE) ?? {},
      },
      output: { type: 'json', example: ANSWER },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: ['json'] },
            body,
          },
          required: ['type', 'method', 'bodyType', 'body'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, example: { type: 'object' } },
          required: ['type'],
        },
      },
      required: ['input'],
    },
  }
}

function makeSchema1({ schema }: Discovery): object {
  const { properties = {} } = schema as { readonly properties?: object }
  return {
    input: {
      type: 'http',
      method: 'POST',
      discoverable: true,
      bodyType: 'json',
      bodyFields: ifShort(properties, LONGEST_SCHEMA) ?? {},
    },
    output: ANSWER,
  }
}

/** Undefined if it is too long to send. */
function ifShort(value: unknown, longest: number): unknown {
  return JSON.stringify(value).length <= longest ? value : undefined
}
