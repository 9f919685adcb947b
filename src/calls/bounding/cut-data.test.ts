import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutData } from './cut-data.ts'

const sizeOf = (value: unknown) => JSON.stringify(value).length
const paragraphs = (count: number) => 'A sentence of the page.\n\n'.repeat(count)

test('returns data that fits unchanged', () => {
  const data = { rows: [{ text: paragraphs(10) }] }
  const cut = cutData(data, 1_000)
  assert.equal(cut.data, data)
  assert.deepEqual(cut.cuts, [])
})

test('cuts a long text at a paragraph and uses at least four fifths of the limit', () => {
  const text = paragraphs(40_000)
  const { data, cuts } = cutData({ rows: [{ url: 'https://a.example', content: text }] }, 60_000)
  const [row] = data['rows'] as { url: string; content: string }[]
  assert.ok(row)
  assert.deepEqual(cuts, [
    { kind: 'text', field: 'rows[0].content', shown: row.content.length, text },
  ])
  assert.ok(text.startsWith(row.content) && row.content.endsWith('\n\n'))
  assert.ok(sizeOf(data) <= 60_000 && sizeOf(data) > 48_000, String(sizeOf(data)))
})

test('shortens the longest texts and leaves shorter ones whole', () => {
  const short = paragraphs(40)
  const { data, cuts } = cutData({ a: paragraphs(4_000), b: short, c: paragraphs(8_000) }, 10_000)
  assert.equal(data['b'], short)
  assert.deepEqual(
    cuts.map((cut) => cut.kind === 'text' && cut.field),
    ['a', 'c'],
  )
})

test('cuts the last items of lists when texts are not enough', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ index, name: `Row ${index}` }))
  const { data, cuts } = cutData({ rows, total: 5_000 }, 10_000)
  const shown = data['rows'] as unknown[]
  assert.deepEqual(shown, rows.slice(0, shown.length))
  assert.deepEqual(cuts, [{ kind: 'list', field: 'rows', shown: shown.length, total: 5_000 }])
  assert.ok(sizeOf(data) <= 10_000 && sizeOf(data) > 9_000, String(sizeOf(data)))
})

test('cuts everything when neither texts nor lists fill the answer', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))
  assert.deepEqual(cutData(wide, 10_000), { data: {}, cuts: [{ kind: 'all' }] })
})

test('never exceeds the limit or splits a character, for any data', () => {
  const text = fc.string({ unit: 'binary', maxLength: 2_000 })
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 8 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie('tree'), { maxKeys: 8 }),
    ),
  }))
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 8 }), tree),
      fc.integer({ min: 50, max: 20_000 }),
      (data, most) => {
        const cut = cutData(data, most)
        assert.ok(sizeOf(cut.data) <= most)
        if (sizeOf(data) > most) assert.ok(cut.cuts.length > 0)
        for (const one of cut.cuts)
          if (one.kind === 'text') assert.ok(one.text.slice(0, one.shown).isWellFormed())
      },
    ),
    { numRuns: 50 },
  )
})
