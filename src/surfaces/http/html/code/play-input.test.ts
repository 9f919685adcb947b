import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCatalog } from '../../../../catalog/index.ts'
import { fc } from '../../../../../test/harness/property.ts'
import { playFields } from '../components/playground/play-fields.ts'
import { isFilledIn, readPlayInput, toFieldText, type PlayField } from './play-input.ts'

const field = (more: Partial<PlayField> & Pick<PlayField, 'kind'>): PlayField => ({
  name: 'value',
  required: true,
  value: '',
  ...more,
})
const readBack = (one: PlayField, value: unknown): unknown =>
  readPlayInput([one], () => toFieldText(one, value)).input['value']

/** Blank text is an empty field. */
const text = fc.string({ unit: 'grapheme' }).filter((value) => value.trim() !== '')
const tricky = fc.constantFrom(
  'true',
  '0',
  '[]',
  '["a"]',
  '{',
  'a\nb',
  ' a ',
  '"quoted"',
  'null',
  '',
)
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const CASES: readonly (readonly [PlayField, fc.Arbitrary<unknown>])[] = [
  [field({ kind: 'text' }), text],
  [field({ kind: 'area' }), text],
  [
    field({ kind: 'number' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ],
  [field({ kind: 'number', isInteger: true }), fc.maxSafeInteger()],
  [field({ kind: 'lines', items: 'string' }), fc.array(fc.oneof(text, tricky))],
  [field({ kind: 'lines', items: 'number' }), fc.array(fc.integer())],
  [field({ kind: 'json' }), fc.oneof(json, tricky)],
  [field({ kind: 'json', acceptsText: true }), fc.oneof(json, text, tricky)],
]

for (const [one, values] of CASES)
  test(`a ${JSON.stringify(one)} reads back every value that it shows`, () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(readBack(one, value), value)
        assert.ok(isFilledIn(one, toFieldText(one, value), value))
      }),
    )
  })

test('a choice reads back the values of its list, and no text stands for another one', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(fc.string(), fc.boolean(), fc.integer()), { minLength: 1 }),
      (values) => {
        const one = field({ kind: 'choice', values })
        for (const value of values) assert.deepEqual(readBack(one, value), value)
        assert.equal(isFilledIn(one, '', values[0]), false)
      },
    ),
  )
})

test('values of another type than the field are found', () => {
  assert.equal(isFilledIn(field({ kind: 'text' }), toFieldText({ kind: 'text' }, 7), 7), false)
  assert.equal(isFilledIn(field({ kind: 'fixed', values: ['/a'] }), '', '/b'), false)
  assert.equal(isFilledIn(field({ kind: 'fixed', values: ['/a'] }), '', '/a'), true)
})

test('the form of every action reads back its example', () => {
  for (const { service, name, action } of createCatalog().allActions()) {
    const fields = playFields(action, action.example)
    const texts = new Map(fields.map((one) => [one.name, one.value]))
    const { input, errors } = readPlayInput(fields, (one) => texts.get(one) ?? '')
    // A parameter with one possible value is always sent.
    const fixed = fields.flatMap((one) =>
      one.kind === 'fixed' ? [[one.name, one.values?.[0]]] : [],
    )
    assert.deepEqual(
      { ...input },
      { ...Object.fromEntries(fixed), ...action.example },
      `${service.id}/${name}`,
    )
    assert.deepEqual(errors, {}, `${service.id}/${name}`)
  }
})
