import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCodex, readCallingApp } from './read-calling-app.ts'

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

describe('the calling app', () => {
  it('is read from the headers of OpenRouter, of which the newer title comes first', () => {
    assert.deepEqual(
      readCallingApp({ 'http-referer': 'https://app.example', 'x-title': 'My App' }),
      { httpReferer: 'https://app.example', title: 'My App' },
    )
    assert.deepEqual(readCallingApp({ 'x-title': 'Old', 'x-openrouter-title': 'New' }), {
      httpReferer: null,
      title: 'New',
    })
    assert.deepEqual(readCallingApp({ 'x-title': 'Old', 'x-openrouter-title': ' ' }), {
      httpReferer: null,
      title: 'Old',
    })
  })

  it('is undefined without the headers, or with blank ones', () => {
    assert.equal(readCallingApp({ referer: 'https://app.example' }), undefined)
    assert.equal(readCallingApp({ 'http-referer': ' \t', 'x-title': '\u0000' }), undefined)
  })

  it('has UTF-8 and Latin-1 names, without control and direction characters', () => {
    const titleOf = (value: string): string | null | undefined =>
      readCallingApp({ 'x-title': value })?.title
    assert.equal(titleOf(latin1('Übersetzer 日本')), 'Übersetzer 日本')
    assert.equal(titleOf('\u00dcber'), 'Über')
    assert.equal(titleOf(latin1('a\u202eb\u0085c\td')), 'a b c d')
  })

  it('is cut to 500 and 100 characters, never within one', () => {
    const app = readCallingApp({
      'http-referer': `https://${'a'.repeat(10_000)}`,
      'x-title': latin1(`${'b'.repeat(99)}😀😀`),
    })
    assert.equal(app?.httpReferer?.length, 500)
    assert.equal(app?.title, `${'b'.repeat(99)}😀`)
  })
})

it('recognises Codex by its user agent or originator', () => {
  for (const headers of [
    { 'user-agent': 'codex_cli_rs/0.153.4 (Ubuntu 24.4.0; x86_64) xterm' },
    { 'user-agent': 'codex-tui/0.160.0' },
    { 'user-agent': 'Codex Desktop/1.2.0' },
    { 'user-agent': 'node', originator: 'codex_vscode' },
  ])
    assert.equal(isCodex(headers), true, JSON.stringify(headers))
  for (const headers of [{}, { 'user-agent': 'OpenAI/JS 7.57.0' }, { originator: 'pi' }])
    assert.equal(isCodex(headers), false, JSON.stringify(headers))
})
