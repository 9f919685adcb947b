import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOutputs, formatPath, insertLink, type FileField } from './file-field.ts'

const field = (name: string, linkField?: string): FileField => ({
  field: name,
  filename: 'picture',
  mime: 'image/png',
  ...(linkField === undefined ? {} : { linkField }),
})

test('finds every text in the file fields and nothing else', () => {
  const data = {
    data: [{ b64: 'AA' }, { b64: '' }, { url: 'x' }, null, { b64: 7 }, { b64: 'BB' }],
    shot: 'CC',
    deep: { list: [{ urls: ['DD', 'EE'] }] },
  }
  const found = findOutputs(data, [
    field('data[].b64'),
    field('shot'),
    field('shot.inner'),
    field('missing.shot'),
    field('deep.list[].urls[]'),
    field('toString'),
  ])
  assert.deepEqual(
    found.map((place) => [formatPath(place, false), place.content]),
    [
      ['data[0].b64', 'AA'],
      ['data[5].b64', 'BB'],
      ['shot', 'CC'],
      ['deep.list[0].urls[0]', 'DD'],
      ['deep.list[0].urls[1]', 'EE'],
    ],
  )
})

test("replaces a file with a link without changing the vendor's answer", () => {
  const data = { shots: [{ url: 'old', kept: 1 }, { url: 'other' }], rest: { same: true } }
  const [first, second] = findOutputs(data, [field('shots[].url')])
  assert.ok(first && second)
  const linked = insertLink(insertLink(data, first, 'new'), second, 'newer')
  assert.deepEqual(linked, {
    shots: [{ url: 'new', kept: 1 }, { url: 'newer' }],
    rest: { same: true },
  })
  assert.equal(data.shots[0]?.url, 'old')
  assert.equal(linked.rest, data.rest)
})

test('moves a link into linkField if the field is named for its bytes', () => {
  const data = { data: [{ b64_json: 'AA', revised_prompt: 'p' }] }
  const [place] = findOutputs(data, [field('data[].b64_json', 'url')])
  assert.ok(place)
  assert.deepEqual(insertLink(data, place, 'https://gate.example/f'), {
    data: [{ revised_prompt: 'p', url: 'https://gate.example/f' }],
  })
  assert.deepEqual(
    [formatPath(place, true), formatPath(place, false)],
    ['data[0].url', 'data[0].b64_json'],
  )
})
