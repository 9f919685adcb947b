import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fc } from '../../../test/harness/property.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { createCatalog } from '../index.ts'
import { createValidator } from '../validate/validate.ts'
import type { JsonSchema } from './json-schema.ts'
import {
  requiredEndpointParams,
  requiredOf,
  requiredParams,
  type RequiredParams,
} from './required-params.ts'
import { fixtureServices } from './testing/small-catalog.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const
const ajv = new Ajv2020({ strict: false, validateSchema: false, useDefaults: true })
const subsets = NAMES.reduce<string[][]>(
  (sets, name) => [...sets, ...sets.map((set) => [...set, name])],
  [[]],
)

const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })
const demand = names.map((required) => ({ required }))
const nested = fc.record(
  { required: names, anyOf: fc.array(demand, { minLength: 1, maxLength: 3 }) },
  { requiredKeys: [] },
)
const properties = fc
  .tuple(
    ...NAMES.map((name) =>
      fc.constantFrom({}, {}, { default: 0 }).map((field) => [name, field] as const),
    ),
  )
  .map((fields) => Object.fromEntries(fields))
const schemas: fc.Arbitrary<JsonSchema> = fc.record(
  {
    properties,
    required: names,
    anyOf: fc.array(nested, { minLength: 1, maxLength: 3 }),
    allOf: fc.array(nested, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['properties'] },
)

function satisfied(
  { required_params, required_one_of }: RequiredParams,
  given: readonly string[],
): boolean {
  const has = (name: string) => given.includes(name)
  return (
    required_params.every(has) &&
    (required_one_of.length === 0 || required_one_of.some((set) => set.every(has)))
  )
}

function accepts(schema: JsonSchema): (given: readonly string[]) => boolean {
  const validate = ajv.compile({ type: 'object', ...schema })
  return (given) => validate(Object.fromEntries(given.map((name) => [name, 1])))
}

test('accepts a set of parameters exactly when the validator does', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const valid = accepts(schema)
      const rule = requiredOf(schema)
      for (const given of subsets)
        assert.equal(
          satisfied(rule, given),
          valid(given),
          `${JSON.stringify(given)} under ${JSON.stringify(rule)}`,
        )
    }),
    { numRuns: 200 },
  )
})

test('accepts each set of an exclusive choice and nothing less', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2 }), (choice) => {
      const schema = { oneOf: choice.map((name) => ({ required: [name] })) }
      const rule = requiredOf(schema)
      assert.deepEqual(rule, { required_params: [], required_one_of: choice.map((name) => [name]) })
      const valid = accepts(schema)
      assert.ok(!valid([]))
      for (const name of choice) assert.ok(valid([name]))
    }),
  )
})

test('publishes no set that contains another', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const sets = requiredOf(schema).required_one_of
      for (const set of sets)
        for (const other of sets)
          assert.ok(set === other || !other.every((name) => set.includes(name)))
    }),
  )
})

test("requires the endpoint of a passthrough, plus the endpoint's own parameters", () => {
  const action = fixtureServices
    .flatMap(({ actions }) => Object.values(actions))
    .find(({ kind }) => kind === 'endpoint')
  assert.ok(action?.kind === 'endpoint')
  assert.deepEqual(requiredParams(action).required_params, ['endpoint'])
  const accepted = new Ajv2020({ strict: false, discriminator: true }).compile(action.input)
  for (const entry of action.endpoints) {
    const { required_params } = requiredEndpointParams(entry)
    const full = Object.fromEntries(
      required_params.map((name) => [name, name === 'endpoint' ? entry.endpoint : 'x']),
    )
    assert.ok(accepted(full))
    for (const name of required_params)
      assert.ok(!accepted(Object.fromEntries(Object.entries(full).filter(([key]) => key !== name))))
  }
})

const { validate } = createValidator()

for (const { service, name, action } of createCatalog().allActions()) {
  test(`${service.id}/${name} requires exactly the published parameters`, () => {
    // A passthrough requires the parameters of the example's endpoint.
    const named = action.kind === 'endpoint' ? action.entryFor(action.example) : undefined
    const rule = named === undefined ? requiredParams(action) : requiredEndpointParams(named)
    const sets = rule.required_one_of.length === 0 ? [[]] : rule.required_one_of
    const usable = sets
      .map((set) => [...rule.required_params, ...set])
      .filter((set) => set.every((field) => field in action.example))
    assert.ok(usable.length > 0, 'the example has the required parameters')
    const take = (fields: readonly string[]) =>
      action.check(validate(action.input, pick(action.example, fields)))
    for (const set of usable) {
      assert.doesNotThrow(() => take(set), `${set} is enough`)
      for (const field of rule.required_params)
        assert.throws(() => take(set.filter((other) => other !== field)), `${field} is needed`)
    }
    if (rule.required_one_of.length > 0) assert.throws(() => take(rule.required_params))
  })
}

function pick(example: Data, fields: readonly string[]): Data {
  return Object.fromEntries(fields.map((name) => [name, example[name]]))
}
