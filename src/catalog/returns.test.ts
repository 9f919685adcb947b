/** The answers of the catalog have the shapes that their records name. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Value } from 'typebox/value'
import type { JsonSchema } from './published/json-schema.ts'
import { createCatalog, type Entry } from './index.ts'
import type { Data, Outcome } from './vocabulary/outcome.ts'
import type { Reply } from './vocabulary/wire.ts'
import { goldenActions, goldenFile } from './testing/service-folders.ts'
import { services } from '../vendors/index.ts'

type Golden = { readonly input: Data; readonly reply?: Reply }

const catalog = createCatalog()
const described = services.flatMap((service) =>
  Object.entries(service.returns ?? {}).map(([place, schema]) => ({ service, place, schema })),
)

/** The answer of an action's golden file; undefined for an in-house action. */
function goldenAnswer({ service, name, action }: Entry): Data | undefined {
  const id = `${service.id}/${name}`
  if (!goldenActions('golden', service.id).includes(id) || action.kind === 'local') return undefined
  const { input, reply } = JSON.parse(readFileSync(goldenFile('golden', id), 'utf8')) as Golden
  if (reply === undefined) return undefined
  const outcome: Outcome = action.outcome(reply, input)
  return outcome.kind === 'failed' ? undefined : outcome.data
}

/** The paths of fields without a description. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const alternatives = [
    ...(schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description === undefined ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`),
    ]),
    ...alternatives.flatMap((one) => undescribed(one, path)),
  ]
}

describe('the shapes of answers', () => {
  for (const { service, place, schema } of described) {
    const [name = '', endpoint] = place.split(' ')

    test(`${service.id}/${place}: belongs to an action, and every field has a description`, () => {
      const action = service.actions[name]
      assert.ok(action !== undefined, `${service.id} has an action ${name}`)
      if (endpoint !== undefined)
        assert.ok(
          action.kind === 'endpoint' && action.endpoints.some((one) => one.endpoint === endpoint),
          `${name} has an endpoint ${endpoint}`,
        )
      assert.deepEqual(undescribed(schema as JsonSchema, 'data'), [])
      assert.ok(Object.keys(schema.properties).length > 0, 'an answer has fields')
    })
  }

  for (const entry of catalog.allActions()) {
    const schema = entry.service.returns?.[entry.name]
    const answer = goldenAnswer(entry)
    if (schema === undefined || answer === undefined) continue
    test(`${entry.service.id}/${entry.name}: fits the answer of its golden file and names its fields`, () => {
      assert.deepEqual([...Value.Errors(schema, answer)], [])
      const unnamed = Object.keys(answer).filter(
        (field) => field !== 'simulated' && !Object.hasOwn(schema.properties, field),
      )
      assert.deepEqual(unnamed, [])
    })
  }
})
