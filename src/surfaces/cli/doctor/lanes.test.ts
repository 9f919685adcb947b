import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from '../../../catalog/service-list.ts'
import { checkLanes } from './lanes.ts'

test('every setting that a vendor wants is named before its lane is called well', () => {
  const checkOf = (credentials: Record<string, string>) => checkLanes(services, new Map([['boxc', { url: null, credentials }]])).find(({ name }) => name === 'service boxc')
  assert.deepEqual(checkOf({ KEY: 'k' }), { name: 'service boxc', state: 'missing', found: 'only KEY: live calls answer 503', fix: 'Set UPSTREAM_BOXC_KEY and UPSTREAM_BOXC_TEAM_ID and UPSTREAM_BOXC_PROJECT_ID.' })
  assert.equal(checkOf({ KEY: 'k', TEAM_ID: 't', PROJECT_ID: 'p' })?.state, 'ok')
})
