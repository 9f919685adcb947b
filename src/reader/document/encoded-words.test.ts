import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeWords } from 'postal-mime'
import { repairEncodedWords } from './encoded-words.ts'

const TEXT = '日本語の長い件名です'
const utf8 = Buffer.from(TEXT)
const base64 = (bytes: Buffer, charset = 'UTF-8') => `=?${charset}?B?${bytes.toString('base64')}?=`
const quoted = (bytes: Buffer, charset = 'UTF-8') =>
  `=?${charset}?Q?${[...bytes].map((byte) => `=${byte.toString(16).toUpperCase()}`).join('')}?=`

function decode(header: string): string {
  return repairEncodedWords(Buffer.from(header, 'latin1'), decodeWords)(decodeWords(header))
}

test('joins adjacent encoded words as bytes, wherever they split a character', () => {
  for (let at = 1; at < utf8.length; at += 1) {
    const [head, tail] = [utf8.subarray(0, at), utf8.subarray(at)]
    for (const [left, right] of [
      [base64(head), base64(tail)],
      [quoted(head), quoted(tail)],
      [base64(head), quoted(tail)],
      [base64(head), base64(tail, 'utf-8')],
      [base64(head), base64(tail, 'utf-8*ja')],
    ])
      for (const between of [' ', '\r\n ', ' \t'])
        assert.equal(decode(`Re: ${left}${between}${right} end`), `Re: ${TEXT} end`, String(at))
  }
})

test('joins words of other charsets, and three words', () => {
  const sjis = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea])
  for (let at = 1; at < sjis.length; at += 1)
    assert.equal(
      decode(
        `${base64(sjis.subarray(0, at), 'shift_jis')} ${base64(sjis.subarray(at), 'Shift_JIS')}`,
      ),
      '日本語',
    )
  const parts = [utf8.subarray(0, 10), utf8.subarray(10, 20), utf8.subarray(20)].map((part) =>
    base64(part),
  )
  assert.equal(decode(parts.join(' ')), TEXT)
  assert.equal(decode(`${parts.join(' ')} =?iso-8859-1?Q?=FC?=`), `${TEXT}ü`)
})

test('leaves words of different charsets, whole words and broken ones as they are', () => {
  for (const header of [
    '=?utf-8?B?w7w=?= =?iso-8859-1?Q?=FC?=',
    '=?utf-8?Q?a?= =?utf-8?Q?b?=',
    '=?utf-8?Q?=FF?= =?utf-8?Q?b?=',
    '=?x-unknown?Q?a?= =?x-unknown?Q?b?=',
    'plain $& text',
  ])
    assert.equal(decode(header), decodeWords(header), header)
  assert.equal(decode(`${base64(utf8)} between ${base64(utf8)}`), `${TEXT} between ${TEXT}`)
})
