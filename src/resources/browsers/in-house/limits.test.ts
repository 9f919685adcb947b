import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mayRunBrowsers } from './limits.ts'

it('browsers without control groups run only if the operator listed them', () => {
  const groups = {}
  assert.equal(mayRunBrowsers(false, null), false)
  assert.equal(mayRunBrowsers(true, null), true)
  assert.equal(mayRunBrowsers(false, groups), true)
})
