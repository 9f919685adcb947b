import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPackagedBrowser } from './packaged-browser.ts'

test('fails when the packaged Chromium is two majors behind, and when its age is not known', () => {
  const verdicts = [
    ['153.0.0', '153.0.0'],
    ['153.0.0', '154.0.1'],
    ['154.0.0', '153.0.0'],
    ['153.0.0', '155.0.0'],
    ['147.0.0', '153.0.0'],
    ['', '153.0.0'],
    ['153.0.0', 'x'],
    ['153.0.0', null],
  ] as const
  assert.deepEqual(
    verdicts.map(([packaged, newest]) => checkPackagedBrowser(packaged, newest).fails),
    [false, false, false, true, true, true, true, true],
  )
  assert.match(
    checkPackagedBrowser('147.0.0', '153.0.0').text,
    /^Chromium 147\.0\.0 is 6 majors behind 153\.0\.0/,
  )
})
