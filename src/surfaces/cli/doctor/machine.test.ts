import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBrowser } from './machine.ts'

test('reports the browser’s user, a missing sandbox and a version two majors old', () => {
  const now = Date.parse('2026-09-30')
  const sandboxed = {
    program: '/x/chromium',
    version: '153.0.8000.1',
    isSandboxed: true,
    userId: 65_520,
  }
  assert.deepEqual(describeBrowser(sandboxed, now), {
    name: 'browser',
    state: 'ok',
    found: 'Chromium 153.0.8000.1 (/x/chromium) starts with its sandbox, as user 65520',
    fix: null,
  })
  const open = describeBrowser({ ...sandboxed, isSandboxed: false }, now)
  assert.deepEqual(
    [
      open.state,
      /WITHOUT its sandbox/.test(open.found),
      /ALLOW_UNSANDBOXED_BROWSER/.test(open.fix ?? ''),
    ],
    ['missing', true, true],
  )
  const old = describeBrowser({ ...sandboxed, version: '152.0.1.1' }, now)
  assert.deepEqual([old.state, /2 major versions behind/.test(old.found)], ['warning', true])
})
