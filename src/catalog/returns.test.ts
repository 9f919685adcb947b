/** The answers of the catalog have the shapes that their records name. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { TObject } from '../lib/schema.ts'
import { Value } from 'typebox/value'
import { startSimulators, type Simulators } from '../simulators/start.ts'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { endpointExample } from './published/endpoint-example.ts'
import type { JsonSchema } from './published/json-schema.ts'
import { createCatalog, type Entry } from './index.ts'
import type { Source } from './vocabulary/define.ts'
import { findOutputs, insertLink } from './vocabulary/file-field.ts'
import type { Data, Outcome } from './vocabulary/outcome.ts'
import type { Reply } from './vocabulary/wire.ts'
import { askSource } from './testing/ask-source.ts'
import { goldenActions, goldenFile } from './testing/service-folders.ts'
import { services } from '../vendors/index.ts'

/** A job's golden file has the outcome instead of the reply. */
type Golden = { readonly input: Data; readonly reply?: Reply; readonly outcome?: Outcome }
type Open = Readonly<Record<string, { readonly input: Data; readonly reply: unknown }>>

const catalog = createCatalog()
const described = services.flatMap((service) =>
  Object.entries(service.returns ?? {}).map(([place, schema]) => ({ service, place, schema })),
)

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: manualClock(Date.parse('2026-11-20T12:00:00Z')) })
})
after(() => simulators.close())

function readGolden(folder: 'golden' | 'golden-open', id: string): unknown {
  return goldenActions(folder, id.split('/')[0] ?? '').includes(id)
    ? JSON.parse(readFileSync(goldenFile(folder, id), 'utf8'))
    : undefined
}

/** The answer of an action's golden file, with its files as links; undefined for an in-house action. */
function goldenAnswer({ service, name, action }: Entry): Data | undefined {
  if (action.kind === 'local') return undefined
  const golden = readGolden('golden', `${service.id}/${name}`) as Golden | undefined
  if (golden === undefined) return undefined
  const { input, reply } = golden
  const outcome = reply === undefined ? golden.outcome : action.outcome(reply, input)
  if (outcome === undefined || outcome.kind === 'failed') return undefined
  return findOutputs(outcome.data, action.fileFields).reduce(
    (data, place) => insertLink(data, place, 'https://gateway.example/f/1'),
    outcome.data,
  )
}

/** The answers of the free public sources of an action. */
function openAnswers({ service, name, action }: Entry): { name: string; data: Data }[] {
  const recorded = (readGolden('golden-open', `${service.id}/${name}`) ?? {}) as Open
  return Object.entries(recorded).flatMap(([place, { input, reply: body }]) => {
    const source: Source | undefined =
      action.kind === 'call'
        ? action.openSource
        : action.kind === 'endpoint'
          ? action.entryFor(input)?.openSource
          : undefined
    const outcome = source?.outcome({ status: 200, headers: {}, body }, input)
    return outcome === undefined || outcome.kind === 'failed'
      ? []
      : [{ name: place, data: outcome.data }]
  })
}

/** Only the shape of an answer with unknown fields has a description of its own. */
function isOpen(schema: JsonSchema): boolean {
  return schema.description !== undefined
}

/** Simulators mark their answers. */
function isMark(field: string, value: unknown): boolean {
  return field === 'simulated' || (field === 'note' && String(value).startsWith('Simulated'))
}

/** Fields of an answer that its shape does not name. */
function unnamedFields(schema: TObject, answer: Data): string[] {
  if (isOpen(schema)) return []
  return Object.keys(answer).filter(
    (field) => !isMark(field, answer[field]) && !Object.hasOwn(schema.properties, field),
  )
}

/** The paths of fields without a description. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const alternatives = [
    ...(schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
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
  test('every action has one', () => {
    const missing = catalog
      .allActions()
      .filter(({ service, name }) => service.returns?.[name] === undefined)
      .map(({ service, name }) => `${service.id}/${name}`)
    assert.deepEqual(missing, [], 'name the answer in returns.ts of the service')
  })

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
      assert.ok(Object.keys(schema.properties).length > 0 || isOpen(schema), 'an answer has fields')
    })

    const action = service.actions[name]
    const vendor = service.vendor
    // The answers of paths without a vendor are compared with their public sources below.
    if (endpoint === undefined || action?.kind !== 'endpoint' || vendor === undefined) continue
    test(`${service.id}/${place}: fits the answer of the simulator and names its fields`, async () => {
      const entry = action.endpoints.find((one) => one.endpoint === endpoint)
      assert.ok(entry !== undefined)
      const base = `${simulators.url}/${vendor.label ?? service.id}`
      const input = endpointExample(action, entry)
      const { reply, ok } = await askSource(base, vendor, action, input)
      assert.ok(ok, `the simulator answers ${reply.status}`)
      const outcome = action.outcome(reply, input)
      assert.ok(outcome.kind !== 'failed')
      assert.deepEqual([...Value.Errors(schema, outcome.data)], [])
      assert.deepEqual(unnamedFields(schema, outcome.data), [])
    })
  }

  for (const entry of catalog.allActions()) {
    const id = `${entry.service.id}/${entry.name}`
    const schema = entry.service.returns?.[entry.name]
    if (schema === undefined) continue
    const answer = goldenAnswer(entry)
    if (answer !== undefined)
      test(`${id}: fits the answer of its golden file and names its fields`, () => {
        assert.deepEqual([...Value.Errors(schema, answer)], [])
        assert.deepEqual(unnamedFields(schema, answer), [])
      })
    for (const { name, data } of openAnswers(entry))
      test(`${id}: fits the answer of its public source to ${name}`, () => {
        const [, endpoint] = name.split(' ')
        const own =
          endpoint === undefined ? undefined : entry.service.returns?.[`${entry.name} ${endpoint}`]
        assert.deepEqual([...Value.Errors(own ?? schema, data)], [])
        if (own !== undefined) assert.deepEqual(unnamedFields(own, data), [])
      })
  }
})
