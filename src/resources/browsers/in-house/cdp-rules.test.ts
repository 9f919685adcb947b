import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findRefusal } from './cdp-rules.ts'

const isRefused = (url: string): boolean => findRefusal('Page.navigate', { url }) !== null

describe('the rules for commands', () => {
  it('reject local pages, also with control characters in the scheme', () => {
    for (const url of [
      'file:///etc/passwd',
      'fi\nle:///etc/passwd',
      '\u0001FILE:///etc/passwd',
      'view-source:fi\tle:///etc/passwd',
      'chrome://version',
    ])
      assert.ok(isRefused(url), JSON.stringify(url))
  })

  it('allow web pages', () => {
    for (const url of ['https://example.com/file:', 'about:blank', 'view-source:https://a.example'])
      assert.ok(!isRefused(url), url)
  })
})
