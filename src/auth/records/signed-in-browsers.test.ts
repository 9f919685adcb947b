import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserOf } from './signed-in-browsers.ts'

test('names browser and system without versions', () => {
  const named = [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/19.0 Safari/605.1',
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/143.0 Mobile Safari/537.36',
    'curl/8.0',
    '',
  ].map(browserOf)
  assert.deepEqual(named, [
    'Chrome on Linux',
    'Edge on Windows',
    'Safari on macOS',
    'Chrome on Android',
    'Unknown browser',
    'Unknown browser',
  ])
})
