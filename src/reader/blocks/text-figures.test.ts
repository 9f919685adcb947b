import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block } from './read-blocks.ts'
import { readTextFigures, type TextFigures } from './text-figures.ts'
import { countWords, sizeOf } from './text-size.ts'

/** One sentence in four languages. */
const SENTENCES = {
  english:
    'The new ferry leaves every twenty minutes from next month, and the last one leaves at midnight.',
  chinese: '从下月起，新的渡轮每二十分钟开出一班，末班船在午夜开出。',
  japanese: '来月から新しい渡し船は二十分ごとに出発し、最終便は真夜中に出る。',
  korean: '다음 달부터 새 여객선은 이십 분마다 출발하며, 마지막 배는 자정에 출발한다.',
}

function figuresOf(text: string, linkSize = 0): TextFigures {
  const block: Block = {
    box: 0,
    text,
    size: sizeOf(text),
    linkSize,
    links: 0,
    isHidden: false,
    inPageLinks: 0,
    foreignLinks: 0,
  }
  return readTextFigures(block)
}

describe('the figures of a text', () => {
  for (const language of ['chinese', 'japanese', 'korean'] as const) {
    const text = SENTENCES[language]
    it(`count a sentence in ${language} like the same sentence in English`, () => {
      const ratio = countWords(text) / countWords(SENTENCES.english)
      assert.ok(ratio > 0.5 && ratio < 1.5, `${ratio} of the words`)
      const size = sizeOf(text) / sizeOf(SENTENCES.english)
      assert.ok(size > 0.4 && size < 1.5, `${size} of the size`)
    })

    it(`recognize a sentence in ${language} as prose that ends with a full stop`, () => {
      const { isProse, endsSentence, punctuation } = figuresOf(text)
      assert.equal(endsSentence, 1)
      assert.ok(punctuation > 0)
      assert.equal(isProse, language === 'korean' ? countWords(text) >= 12 : true)
    })
  }

  it('recognize headings of related and popular stories in three languages', () => {
    for (const text of [
      '相关推荐',
      '热门排行',
      '関連記事',
      'アクセスランキング',
      '인기 기사',
      '추천 기사',
    ])
      assert.equal(figuresOf(text).isElsewhere, 1, text)
  })

  it('recognize dates and prices in three languages', () => {
    for (const text of ['2026年11月03日', '3小时前', '2026. 11. 12'])
      assert.equal(figuresOf(text).isDate, 1, text)
    for (const text of ['300元', '1,200円', '5000원'])
      assert.equal(figuresOf(text).isPrice, 1, text)
  })

  it('do not take a sentence that mentions popularity for a heading of other stories', () => {
    assert.equal(figuresOf(`${SENTENCES.english} It is popular, they say.`).isElsewhere, 0)
  })
})
