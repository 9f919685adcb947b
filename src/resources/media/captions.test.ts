import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { readCues, writeCaptions } from './captions.ts'

const SIZE = { width: 1280, height: 720 }

describe('a caption file', () => {
  it('is read as SubRip and WebVTT, without its formatting', () => {
    const subrip =
      '\uFEFF1\r\n00:00:01,500 --> 00:00:02,000\r\n<i>Hello</i> {\\an8}there\r\nsecond\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,000\r\nLate\r\n'
    assert.deepEqual(readCues(subrip), [
      { fromMs: 1_500, toMs: 2_000, text: 'Hello there\nsecond' },
      { fromMs: 3_600_000, toMs: 3_601_000, text: 'Late' },
    ])
    const webvtt = 'WEBVTT\n\nNOTE a note\n\nid\n00:01.5 --> 00:02.000 align:start\n<v Ana>Hello\n'
    assert.deepEqual(readCues(webvtt), [{ fromMs: 1_500, toMs: 2_000, text: 'Hello' }])
  })

  it('without captions has none, for any text', () => {
    for (const text of [
      '',
      'Hello.',
      '00:00:01,000 --> 00:00:02,000',
      '#EXTM3U\nfile:///etc/passwd',
    ])
      assert.deepEqual(readCues(text), [])
    fc.assert(fc.property(fc.string(), (text) => readCues(text).length <= 1))
  })
})

describe('captions for libass', () => {
  const lineOf = (text: string): string =>
    writeCaptions([{ fromMs: 0, toMs: 61_230, text }], SIZE)
      .split('\n')
      .at(-2) ?? ''

  it('have one line per caption with its times', () => {
    assert.equal(lineOf('Hello'), 'Dialogue: 0,0:00:00.00,0:01:01.23,Default,,0,0,0,,Hello')
  })

  it('show every text as it is, without commands, styles or further lines', () => {
    assert.ok(lineOf('{\\an8}a\nb, c').endsWith(',,\\{\\\u2060an8\\}a\\Nb, c'))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const file = writeCaptions([{ fromMs: 0, toMs: 1, text: `x${text}x` }], SIZE)
        const shown = file.slice(file.lastIndexOf(',,') === -1 ? 0 : file.indexOf('0,0,0,,') + 7)
        assert.equal(file.match(/^Dialogue:/gm)?.length, 1)
        // No unescaped brace, and no backslash of the text that begins a command.
        assert.doesNotMatch(shown, /(?<!\\)[{}]/)
        assert.doesNotMatch(shown.replaceAll(/\\[N{}]/g, ''), /\\(?!\u2060)/u)
      }),
    )
  })
})
