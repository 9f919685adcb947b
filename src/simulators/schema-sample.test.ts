import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'node:test'
import { cpuMsOf } from '../../test/harness/cpu-time.ts'
import { sampleOf } from './schema-sample.ts'

const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /^[^@\s]+@[^@\s]+\.[a-z]+$/,
  uri: /^https:\/\/\S+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

const FITTING: Readonly<Record<string, object>> = {
  'a field that may be null': {
    type: 'object',
    properties: {
      age: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      name: { type: ['null', 'integer'] },
    },
    required: ['age', 'name'],
  },
  'only null': { type: 'null' },
  'one of several forms': {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'a' }, size: { type: 'number' } },
        required: ['kind', 'size'],
      },
      { type: 'string' },
    ],
  },
  'alternatives with common fields': {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
  allOf: {
    allOf: [
      { $ref: '#/$defs/named' },
      { properties: { size: { type: 'integer' } }, required: ['size'] },
    ],
    $defs: {
      named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  'a definition used twice': {
    type: 'object',
    properties: {
      home: { $ref: '#/definitions/address' },
      work: { $ref: '#/definitions/address' },
    },
    required: ['home', 'work'],
    definitions: {
      address: { type: 'object', properties: { zip: { type: 'integer' } }, required: ['zip'] },
    },
  },
  'a tree': {
    type: 'object',
    properties: {
      value: { type: 'number' },
      left: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      right: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      children: { type: 'array', items: { $ref: '#' } },
    },
    required: ['value', 'left', 'right', 'children'],
  },
  'whole numbers in bounds': {
    type: 'array',
    prefixItems: [
      { type: 'integer', minimum: 18, maximum: 99 },
      { type: 'integer', exclusiveMaximum: 0 },
      { type: 'integer', minimum: 12, multipleOf: 5 },
      { type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 },
    ],
    minItems: 4,
  },
  'numbers in bounds': {
    type: 'array',
    prefixItems: [
      { type: 'number', minimum: 0, maximum: 0.5 },
      { type: 'number', exclusiveMinimum: 2, exclusiveMaximum: 3 },
      { type: 'number', exclusiveMinimum: 1 },
      { type: 'number', exclusiveMaximum: 0.2 },
    ],
    minItems: 4,
  },
  'texts of a length': {
    type: 'array',
    prefixItems: [
      { type: 'string', minLength: 40 },
      { type: 'string', maxLength: 2 },
    ],
    minItems: 2,
  },
  'lists of a length': { type: 'array', items: { type: 'string' }, minItems: 3 },
  'no entries': { type: 'array', items: { type: 'string' }, maxItems: 0 },
  formats: {
    type: 'object',
    properties: Object.fromEntries(
      Object.keys(FORMATS).map((format) => [format, { type: 'string', format }]),
    ),
    required: Object.keys(FORMATS),
  },
  'required fields without a description': {
    type: 'object',
    additionalProperties: { type: 'number' },
    required: ['a', 'b'],
  },
}

for (const [name, schema] of Object.entries(FITTING)) {
  test(`generates valid JSON for ${name}`, () => {
    const validate = new Ajv2020({ strict: false, formats: FORMATS }).compile(schema)
    const made = sampleOf(schema)
    assert.ok(validate(made), `${JSON.stringify(made)}: ${JSON.stringify(validate.errors)}`)
  })
}

test('generates each item of a tuple in the older notation', () => {
  assert.deepEqual(sampleOf({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] }), [
    'simulated',
    1,
  ])
})

test('limits the output for a schema that requires more than the memory', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, place) => [`field${String(place)}`, { $ref: '#' }]),
  )
  const numbers = Array.from({ length: 200_000 }, (_, place) => place)
  for (const schema of [
    { type: 'object', properties: wide, required: Object.keys(wide) },
    {
      type: 'array',
      minItems: 1e9,
      items: { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } },
    },
    {
      type: 'array',
      minItems: 1e9,
      items: { $ref: '#/$defs/long' },
      $defs: { long: { const: 'x'.repeat(1_000_000) } },
    },
    {
      type: 'array',
      minItems: 1e9,
      items: { $ref: '#/$defs/broad' },
      $defs: { broad: { type: 'object', required: numbers, anyOf: numbers, enum: numbers } },
    },
    { allOf: numbers.map(() => ({ $ref: '#' })) },
    { $ref: '#' },
    { enum: [] },
  ]) {
    let length = 0
    assert.ok(cpuMsOf(() => (length = JSON.stringify(sampleOf(schema)).length)) < 1_000)
    assert.ok(length < 300_000, String(length))
  }
})
