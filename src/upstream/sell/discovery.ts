/**
 * How to send a paid request, for x402 catalogs: the "bazaar" extension of version 2, and
 * `outputSchema` of version 1.
 */
import type { Discovery } from './acceptance.ts'

const LONGEST_SCHEMA = 3_000
const ANSWER = { ok: true, data: {}, charged_cents: 1, charged_micros: 10_000, request_id: 'req_0' }

const ANY_BODY = { type: 'object' }

// Long schemas would be rebuilt for every 402. The cached ones live as long as the catalog.
const extensions = new WeakMap<object, readonly object[]>()
const schemas1 = new WeakMap<object, object>()

/** The extension with everything, then shorter ones: without the schema of the body, then without the example. */
export function discoveryExtensions(discovery: Discovery): readonly object[] {
  return cached(extensions, discovery, ({ example, schema }) => [
    makeExtension(example, schema),
    makeExtension(example, ANY_BODY),
    makeExtension({}, ANY_BODY),
  ])
}

export function discoveryOfVersion1(discovery: Discovery): object {
  return cached(schemas1, discovery, makeSchema1)
}

function cached<Made extends object>(
  made: WeakMap<object, Made>,
  discovery: Discovery,
  make: (discovery: Discovery) => Made,
): Made {
  const known = made.get(discovery.schema) ?? make(discovery)
  made.set(discovery.schema, known)
  return known
}

function makeExtension(example: unknown, body: object): object {
  return {
    info: {
      input: {
        type: 'http',
        method: 'POST',
        bodyType: 'json',
        body: example,
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
