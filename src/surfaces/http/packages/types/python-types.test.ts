import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPythonTypes } from './python-types.ts'

const TEXT = { type: 'string' }

test('writes values, lists, maps, unions and known values', () => {
  for (const [schema, type] of [
    [{ type: 'array', items: TEXT }, 'List[str]'],
    [{ anyOf: [TEXT, { type: 'null' }] }, 'Optional[str]'],
    [{ anyOf: [TEXT, { type: 'integer' }, { type: 'null' }] }, 'Optional[Union[str, int]]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Dict[str, float]'],
    [{ type: 'object' }, 'Dict[str, Any]'],
    [{ type: ['string', 'null'] }, 'Optional[str]'],
    [{ enum: ['a', 1, true, null] }, 'Literal["a", 1, True, None]'],
    [{ enum: [0.5] }, 'Any'],
    [{}, 'Any'],
    [{ anyOf: [TEXT, {}] }, 'Any'],
  ] as const)
    assert.equal(createPythonTypes().write(schema, 'A'), type)
})

test('writes a class for each object, before its use, with required fields and descriptions', () => {
  const types = createPythonTypes()
  const row = { type: 'object', properties: { id: { ...TEXT, description: 'Ends with "id"' } } }
  const schema = { properties: { rows: { type: 'array', items: row } }, required: ['rows'] }
  assert.equal(types.addClass('Pages', schema, { base: 'Answer' }), 'Pages')
  assert.equal(
    types.text(),
    'class PagesRow(TypedDict):\n    id: NotRequired[str]\n    """Ends with "id\\""""\n\nclass Pages(Answer):\n    rows: List[PagesRow]\n',
  )
})

test('writes equal classes once, and different ones under different names', () => {
  const types = createPythonTypes()
  assert.equal(types.addClass('A', { properties: { a: TEXT } }), 'A')
  assert.equal(types.addClass('B', { properties: { a: TEXT } }), 'A')
  assert.equal(types.addClass('A', { properties: { b: TEXT } }), 'A2')
})

test('writes fields that are no names in Python', () => {
  const types = createPythonTypes()
  types.addClass('A', { properties: { from: TEXT, 'b-c': TEXT }, required: ['from'] })
  assert.equal(types.text(), 'A = TypedDict("A", {"from": str, "b-c": NotRequired[str]})\n')
})
