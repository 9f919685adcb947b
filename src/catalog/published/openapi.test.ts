import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { services } from '../../vendors/index.ts'
import { fixtureLaneOf, fixturePublished } from './testing/small-catalog.ts'
import { openapi, openapiSteps } from './openapi.ts'
import { catalogIndexSteps, type Published } from './catalog-index.ts'

const NO_ROUTES = { paths: {}, schemas: {}, tags: [], securitySchemes: {} }
const real: Published = { services, laneOf: fixtureLaneOf, publicUrl: 'https://gate.example' }

for (const [name, published] of [
  ['fixture', fixturePublished],
  ['real', real],
] as const) {
  const document = JSON.parse(JSON.stringify(openapi(published, NO_ROUTES))) as {
    paths: Record<
      string,
      Record<
        string,
        {
          operationId?: string
          requestBody?: { content: Record<string, { schema: object; example: object }> }
        }
      >
    >
    components: { schemas: Record<string, object> }
  }
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).filter(({ operationId }) => operationId !== undefined),
  )

  test(`publishes the ${name} catalog as valid OpenAPI 3.1`, async () => {
    const result = await new Validator().validate(structuredClone(document))
    assert.deepEqual(result.errors, undefined)
    assert.ok(result.valid)
  })

  test(`publishes each action of the ${name} catalog as one operation with a unique id`, () => {
    for (const service of published.services) {
      for (const action of Object.keys(service.actions))
        assert.ok(
          document.paths[`/api/run/${service.id}/${action}`]?.['post'],
          `${service.id}/${action}`,
        )
    }
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  })

  test(`validates each example of the ${name} catalog with and without max_cost_cents`, () => {
    const ajv = new Ajv2020({
      strict: false,
      schemas: [{ $id: 'openapi', components: document.components }],
    })
    for (const { requestBody } of operations) {
      const body = requestBody?.content['application/json']
      if (body?.example === undefined) continue
      const validate = ajv.compile(
        JSON.parse(
          JSON.stringify(narrowed(body.schema, body.example)).replaceAll(
            '#/components',
            'openapi#/components',
          ),
        ) as object,
      )
      assert.ok(validate(body.example), JSON.stringify(validate.errors))
      assert.ok(validate({ ...body.example, max_cost_cents: 5 }), JSON.stringify(validate.errors))
      assert.ok(!validate({ ...body.example, nobody_knows_this: 5 }))
    }
  })

  test(`lets generators type every body of the ${name} catalog: unnamed fields are untyped`, () => {
    for (const { operationId, requestBody } of operations) {
      const { oneOf = [], ...body } = (requestBody?.content['application/json']?.schema ??
        {}) as Body & { readonly oneOf?: readonly Body[] }
      for (const { properties, additionalProperties } of [body, ...oneOf])
        assert.ok(properties === undefined || typeof additionalProperties !== 'object', operationId)
    }
  })
}

type Body = { readonly properties?: object; readonly additionalProperties?: boolean | object }

/**
 * Reduces the hundreds of branches of a passthrough to the one of the example, because compiling
 * all of them takes half a minute.
 */
function narrowed(schema: object, example: object): object {
  const { oneOf } = schema as { oneOf?: { properties?: { endpoint?: { const?: unknown } } }[] }
  const { endpoint } = example as { endpoint?: unknown }
  return oneOf === undefined || endpoint === undefined
    ? schema
    : {
        ...schema,
        oneOf: oneOf.filter(({ properties }) => properties?.endpoint?.const === endpoint),
      }
}

test('types the data of an answer whose shape is known', () => {
  const routes = { paths: {}, schemas: {}, tags: [], securitySchemes: {} }
  const paths: Readonly<Record<string, unknown>> = openapi(fixturePublished, routes).paths
  const [search, pages] = ['search', 'pages'].map((name) =>
    JSON.stringify(paths[`/api/run/library/${name}`]),
  )
  assert.match(search ?? '', /"data":{"type":"object",.*"required":\["books"\]/)
  assert.match(pages ?? '', /"200":{"\$ref":"#\/components\/responses\/Envelope"}/)
})

test('types the response of a job as the started job, and its result separately', () => {
  const routes = { paths: {}, schemas: {}, tags: [], securitySchemes: {} }
  const paths: Readonly<Record<string, unknown>> = openapi(fixturePublished, routes).paths
  const { post } = paths['/api/run/library/digitise'] as {
    readonly post: { readonly responses: object; readonly 'x-job-result'?: object }
  }
  assert.match(JSON.stringify(post.responses), /"data":{"type":"object","required":\["job_id"/)
  assert.match(JSON.stringify(post['x-job-result']), /"required":\["scan"\]/)
})

test('is computed in a step per action, so that calls are served in between', () => {
  const actions = fixturePublished.services.flatMap(({ actions }) => Object.keys(actions)).length
  assert.equal([...openapiSteps(fixturePublished, NO_ROUTES)].length, actions)
  assert.equal([...catalogIndexSteps(fixturePublished)].length, actions)
})
