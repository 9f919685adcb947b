import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { highlightsOf } from './highlights.ts'

const TEXT = `# Ledgers in practice

A ledger keeps every entry that was ever made. Group commits share the price of a durable write among many callers!
Nothing here is about the weather. See [the group commit paper](https://example.com/x) for the figures that were measured.

- Commits are grouped when several arrive while one is being written.
Short one. 東京の天気は明日も晴れるでしょうと気象庁が発表しました。会議は水曜日に延期されましたので注意してください。`

describe('highlights', () => {
  it('ranks sentences by the query, with more weight for rarer words', () => {
    const found = highlightsOf(TEXT, 'how do group commits work', 3)
    assert.ok(
      found.every(({ text }) => /group/i.test(text)),
      JSON.stringify(found),
    )
    assert.equal(found.length, 3)
    assert.deepEqual(
      found.map(({ score }) => score),
      found.map(({ score }) => score).toSorted((a, b) => b - a),
    )
  })

  it('removes markdown signs and link targets from sentences', () => {
    const [best] = highlightsOf(TEXT, 'measured figures of the paper', 1)
    assert.equal(best?.text, 'See the group commit paper for the figures that were measured.')
  })

  it('returns nothing without a match, and the first sentences without a query', () => {
    assert.deepEqual(highlightsOf(TEXT, 'zebra', 5), [])
    assert.equal(
      highlightsOf(TEXT, '', 1)[0]?.text,
      'A ledger keeps every entry that was ever made.',
    )
    assert.deepEqual(highlightsOf('', 'ledger', 5), [])
  })

  it('returns a repeated sentence once', () => {
    const once = 'The harbour of Lisbon was rebuilt after the earthquake.'
    assert.deepEqual(
      highlightsOf(`${once}\n\n${once} ${once}`, 'harbour', 5).map(({ text }) => text),
      [once],
    )
  })

  it('limits the number of sentences of a long text', () => {
    const long = Array.from(
      { length: 50_000 },
      (_value, index) => `A word ${index} about ledgers and commits follows here. `,
    ).join('')
    const cpuMs = cpuMsOf(() => {
      const found = highlightsOf(long, 'ledgers commits words', 5)
      assert.equal(found.length, 5)
    })
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`)
  })
})
