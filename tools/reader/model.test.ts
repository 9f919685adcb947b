import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { EAST_ASIAN_PAGES } from '../../bench/pages/east-asian-pages.ts'
import { wordF1, wordsOf } from '../../bench/pages/gold.ts'
import { FEATURES } from '../../src/reader/blocks/block-features.ts'
import { READER_MODEL, type PackedModel } from '../../src/reader/blocks/main-blocks.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { toText } from '../../src/reader/extract/text.ts'
import { contentOf, GOLDEN_PAGES } from './golden-pages.ts'

const FILE = new URL('../../src/reader/blocks/model.json', import.meta.url)
const LEAST_F1 = 0.85
/** Threads keep authors and dates. */
const LEAST_F1_OF_THREAD = 0.75

describe('the model of the page reader', () => {
  it('has exactly the features that the code computes, in their order', () => {
    const { features } = JSON.parse(readFileSync(FILE, 'utf8')) as PackedModel
    assert.deepEqual(features, FEATURES, 'Run tools/reader/train-blocks.ts --write')
    const used = Math.max(...Array.from(READER_MODEL.blocks.feature))
    assert.ok(used < FEATURES.length)
  })

  it('is at most 500 kB', () => {
    assert.ok(statSync(FILE).size <= 500_000)
  })

  for (const { name, html, url, gold, isThread } of EAST_ASIAN_PAGES) {
    const least = isThread === true ? LEAST_F1_OF_THREAD : LEAST_F1
    it(`reads ${name} with a word F1 of at least ${least}`, () => {
      const { content } = extractContent({ html, url, format: 'text', mainContent: true })
      const f1 = wordF1(wordsOf(gold), wordsOf(content))
      assert.ok(f1 >= least, `F1 ${f1.toFixed(3)}: ${content}`)
    })
  }

  for (const page of GOLDEN_PAGES)
    it(`reads ${page.name} with a word F1 of at least ${LEAST_F1}`, () => {
      const { html, url } = page
      const read = extractContent({ html, url, format: 'text', mainContent: true })
      const expected = wordsOf(toText(bodyOf(parseDocument(contentOf(page)))))
      const f1 = wordF1(expected, wordsOf(read.content))
      assert.ok(f1 >= LEAST_F1, `F1 ${f1.toFixed(3)}: ${read.content}`)
      assert.ok(read.yield > 0.6, `yield ${read.yield}`)
    })
})
