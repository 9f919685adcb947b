import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { caughtByGate, countSegments } from './scores.ts'
import { structureOf } from './structure.ts'

const page = (required: string[], forbidden: string[]) => ({
  id: '1',
  url: 'https://a.example/',
  html: '',
  type: 'article',
  with: required,
  without: forbidden,
})

describe('scores of page reading', () => {
  it('finds snippets that begin or end inside a word, across line breaks and soft hyphens', () => {
    const text = 'Mit einem Schlag ist\n\nder ge\u00ADsamte Preis gezahlt.'
    const segments = countSegments(
      page(['chlag ist der gesam', 'Preis!'], ['gezahlt', 'Kauf']),
      text,
    )
    assert.deepEqual(segments, { found: 1, missed: 1, wrong: 1 })
  })

  it('does not count a line break in a table cell as a word', () => {
    assert.deepEqual(structureOf('| a<br>b | c<br />d |').rows, structureOf('| a b | c d |').rows)
  })

  it('counts the bad pages below the gate, and no good ones', () => {
    const pairs = [
      { f1: 0.2, estimate: 0.3 },
      { f1: 0.4, estimate: 0.9 },
      { f1: 0.9, estimate: 0.1 },
    ]
    assert.equal(caughtByGate(pairs, 0.5), 0.5)
    assert.equal(caughtByGate([], 0.5), 0)
  })
})
