import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { countTokens } from './count-tokens.ts'
import { estimateTokens } from './estimate-tokens.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const source = readFileSync(new URL('./money.ts', import.meta.url), 'utf8')
const SAMPLES: Readonly<Record<string, string>> = {
  prose: readme,
  code: source,
  json: JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `user ${id}`, ok: true, share: id * 1.37 }))),
  russian: 'Языковые модели тарифицируются по токенам, которые сообщает поставщик. '.repeat(20),
  chinese: '语言模型的路由器按使用量计费，余额精确到百万分之一美元。'.repeat(20),
  emoji: '😀🎉👍🏽'.repeat(50),
  base64: Buffer.from(Array.from({ length: 3000 }, (_, place) => (place * place * 7919) % 251)).toString('base64'),
  digits: '1234567890'.repeat(50),
  hindi: 'भाषा मॉडल का मूल्य टोकन के अनुसार होता है। '.repeat(20),
  amharic: 'ሰላም ዓለም ይህ ፈተና ነው '.repeat(20),
  tibetan: 'བོད་ཡིག'.repeat(50),
  runes: 'ᚠᚢᚦᚨᚱᚲ'.repeat(50),
  cuneiform: '𒀀𒀁𒀂'.repeat(50),
  blank: '\n\t \n'.repeat(200),
  letters: Array.from({ length: 2_000 }, (_, place) => String.fromCharCode(97 + ((place * place * 7919) % 26))).join(''),
  indented: `${' '.repeat(12)}return\n\n`.repeat(50),
}

for (const [name, text] of Object.entries(SAMPLES)) {
  test(`the estimate of ${name} is at least the count and less than three times as much`, () => {
    const [estimate, count] = [estimateTokens(text), countTokens(text)]
    assert.ok(estimate >= count && estimate < 3 * count, `${estimate} for ${count}`)
  })
}

test('no text at all is nothing, and a single blank is a token', () => {
  assert.deepEqual(['', ' ', '\n'].map(estimateTokens), [0, 1, 2])
})

test('estimates never shrink as a text grows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
      assert.ok(estimateTokens(left + right) >= estimateTokens(left))
    }),
    { numRuns: 200 },
  )
})
