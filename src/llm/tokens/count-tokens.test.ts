import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { fc } from '../../../test/harness/property.ts'
import { sampleOf } from '../../../test/harness/sample.ts'
import { countTokens } from './count-tokens.ts'
import { NO_RANK, readTokenVocabulary } from './token-vocabulary.ts'

const AS_TEXT = { disallowedSpecial: new Set<string>() }
// The library takes U+FEFF for white space and drops it from what it looks up; U+0085 is no white space to it.
const MISREAD_BY_LIBRARY = /[\u{feff}\u{85}]/gu

function assertCounted(text: string): void {
  const known = text.replaceAll(MISREAD_BY_LIBRARY, '')
  assert.equal(
    countTokens(known),
    countByLibrary(known, AS_TEXT),
    JSON.stringify(known.slice(0, 200)),
  )
}

const file = readFileSync(new URL(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken')))

test('rejects a truncated or damaged vocabulary', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-vocabulary-'))
  try {
    const address = pathToFileURL(join(folder, 'o200k_base.tiktoken'))
    const damaged = Buffer.from(file)
    damaged.fill(0x20, 1_000, 1_003)
    for (const content of [file.subarray(0, 2_000_000), damaged, Buffer.alloc(0)]) {
      writeFileSync(address, content)
      assert.throws(() => readTokenVocabulary(address.href), /must be installed again/)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('returns the rank of every token, and none for other bytes', () => {
  const vocabulary = readTokenVocabulary()
  const known = new Set<string>()
  for (const line of file.toString('latin1').trimEnd().split('\n')) {
    const [token = '', rank] = line.split(' ')
    const bytes = Buffer.from(token, 'base64')
    known.add(bytes.toString('latin1'))
    assert.equal(vocabulary.rankOf(bytes, 0, bytes.length), Number(rank))
  }
  for (const token of sampleOf([...known], 4)) {
    const longer = Buffer.from(`${token}q`, 'latin1')
    if (!known.has(longer.toString('latin1')))
      assert.equal(vocabulary.rankOf(longer, 0, longer.length), NO_RANK)
  }
})

test('keeps the vocabulary below 8 MiB', () => {
  const before = process.memoryUsage()
  const vocabulary = readTokenVocabulary()
  const after = process.memoryUsage()
  assert.ok(
    after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed < 8 * 2 ** 20,
  )
  assert.equal(vocabulary.rankOf(Buffer.from('!'), 0, 1), 0)
})

const TIKTOKEN_COUNTS: readonly (readonly [text: string, tokens: number])[] = [
  ['\u{feff}', 1],
  ['\u{feff}using System;', 3],
  ['\u{feff}\n\n', 1],
  ['\u{feff}#!/bin/sh\n', 5],
  ['\u{feff}\u{feff}namespace A;', 4],
  ['{"a":"\u{feff}//"}', 5],
  [' \u{feff} b', 2],
  ['\u{feff}출장안마', 1],
  ['a\u{85}b', 4],
  ['a \u{85} b', 4],
  ['\u{85}\u{85}\n', 5],
  ["it'ſabc", 4],
  ["IT'ſ", 3],
  ['ſtraſse', 4],
  ["Douſ'ſen'sa", 7],
  ["\u{85}'s", 3],
  ["S\u{85}'s", 4],
  ['1/ \u{feff}  \u{feff}', 5],
  ["WE'LL'll", 4],
  ["don't DON'T", 2],
  ["xİ'S", 3],
]

test('counts a byte order mark, a next line and a long s as tiktoken 0.14 does', () => {
  for (const [text, tokens] of TIKTOKEN_COUNTS)
    assert.equal(countTokens(text), tokens, JSON.stringify(text))
})

// Every 128 characters of Unicode, in which a script or a part of one is.
const BLOCKS = Array.from({ length: 0x11_0000 / 0x80 }, (_, block) => block * 0x80).filter(
  (first) => first < 0x3_2000 || first >= 0xe_0000,
)

test('counts words of every script as the library does', () => {
  for (const first of sampleOf(BLOCKS, 8)) {
    const characters = Array.from({ length: 0x80 }, (_, place) =>
      String.fromCodePoint(first + ((place * 37) & 0x7f)),
    )
    assertCounted(
      characters
        .map((character, place) =>
          place % 5 === 0 || place % 7 === 0 ? ` ${character}` : character,
        )
        .join(''),
    )
  }
})

const SAMPLES: Readonly<Record<string, string>> = {
  prose: readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'),
  code: readFileSync(new URL('./count-tokens.ts', import.meta.url), 'utf8'),
  json: JSON.stringify(
    Array.from({ length: 200 }, (_, id) => ({
      id,
      name: `user ${id}`,
      ok: true,
      share: id * 1.37,
      tags: [null, 'a\n'],
    })),
    null,
    2,
  ),
  languages: `Sprachmodelle für größere Straßen. L'été, où ça? ¿Cuánto cuesta? Çok güzel, İstanbul'da. Tiếng Việt rất hay. Языковые модели, ещё раз.
    Οι γλώσσες. 语言模型按使用量计费。言語モデルの料金は？ 언어 모델의 가격. שפה ומחיר. نموذج اللغة، ٢٠٢٦. भाषा मॉडल का मूल्य। ภาษาไทยไม่มีช่องว่าง ქართული ենամեն ሰላም ዓለም བོད་ཡིག ᚠᚢᚦ 𒀀𒀁`,
  emoji: '😀🎉👍🏽👩‍👩‍👧‍👦🏳️‍🌈🇩🇪🇫🇷1️⃣❤️‍🔥 ☺️ 🧑🏿‍🚀x😀y',
  marks:
    'e\u0301\u0302\u0303 \u0301 a\u0327\u0301b Z\u0351\u036b\u0343 \u0301\u0301 ก็ ที่ \u200d\u200c\u2060\ufe0e',
  blanks: ' \n  \n\n\t\t x\r\n\r\n  \u00a0\u2003\u3000 y \v\f\u2028\u2029 \u180e\u200b  z   ',
  base64: Buffer.from(
    Array.from({ length: 3000 }, (_, place) => (place * place * 7919) % 251),
  ).toString('base64'),
  digits: '1 12 123 1234 1234567890 3.14159 1,000,000 ٣٤٥٦ ²³ Ⅷ ½',
  capitals: 'camelCase PascalCase SCREAMING_CASE HTTPServer iOS ǅungla ªº ʰʷ İI',
  shortened: "I'm you're he's we'd they'll I've can't CAN'T 'tis o'clock it's's 'S'T'RE'VE'M'LL'D",
  signs: '=== !== <!-- --> ////// \\\\ ../.. /* */ {{}} [](){}; ¯\\_(ツ)_/¯ ---|---\n/\n//\r\n',
  control:
    '<|endoftext|><|im_start|>system<|im_sep|>x<|im_end|> <|fim_prefix|> <|endofprompt|> \0\x07\x1b[0m\x7f',
  halves: 'a\ud83d b\ude00c \ud83d\ud83d\ude00\ude00 \ud800\udfff \udbff',
}

for (const [name, text] of Object.entries(SAMPLES)) {
  test(`counts like the library, whole and truncated: ${name}`, () => {
    for (let length = 0; length <= Math.min(text.length, 300); length += 1)
      assertCounted(text.slice(0, length))
    assertCounted(text)
  })
}

test('counts a control token as text', () => {
  assert.equal(countTokens('<|endoftext|>'), 7)
})

const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.string(),
      anyUnit,
      fc.constantFrom(
        ...Object.values(SAMPLES).flatMap((text) => text.slice(0, 400).split(/(?= )/)),
      ),
    ),
  )
  .map((parts) => parts.join(''))

test('counts any text as the library does', () => {
  fc.assert(fc.property(anyText, assertCounted), { numRuns: 2_000 })
})

test('counts a long text as the library does', () => {
  const text = Object.entries(SAMPLES)
    .flatMap(([name, sample]) => (name === 'base64' ? [] : [sample.slice(0, 700)]))
    .join('\n')
    .repeat(4)
  for (let shift = 0; shift < 60; shift += 1) assertCounted('x'.repeat(shift) + text.repeat(2))
})

test('counts long words as the library does', () => {
  const mixed = Array.from({ length: 4_000 }, (_, place) =>
    String.fromCharCode(97 + ((place * place * 7919) % 26)),
  ).join('')
  for (const unit of [
    'a',
    'ab',
    'Ab',
    ' ',
    '\n',
    '\t ',
    '=',
    'é',
    '中',
    '語言',
    '\u0301',
    '😀',
    mixed,
  ]) {
    for (const length of [63, 127, 128, 129, 257, 1_000])
      assertCounted(unit.repeat(length).slice(0, 4 * length))
  }
})

test('counts a word of 200 000 characters, and long runs of any character', () => {
  assert.equal(countTokens('a'.repeat(200_000)), 25_000)
  for (const character of ['中', 'A', ' ', '=', '\u0301'])
    assert.ok(countTokens(character.repeat(200_000)) >= 200_000 / 128)
})
