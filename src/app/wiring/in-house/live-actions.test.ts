import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../settings/config.ts'
import { listLiveActions } from './live-actions.ts'

const listWith = (parts: readonly string[], hasModel = false, environment = {}) =>
  listLiveActions(loadConfig(environment), { hasModel, parts: new Set(parts) })

test('counts every action once, and parts and a language model make more of them live', () => {
  const bare = listWith([])
  assert.equal(new Set([...bare.live, ...bare.off]).size, bare.live.length + bare.off.length)
  assert.ok(bare.live.includes('encyclopedia/page'))
  assert.ok(bare.off.includes('indep/search'))
  const gained = (live: readonly string[]) => live.filter((name) => !bare.live.includes(name))
  assert.deepEqual(gained(listWith(['git']).live), ['gitstore/repo-create', 'gitstore/repo-get'])
  assert.deepEqual(gained(listWith([], true).live), ['render/extract', 'render2/extract'])
})

test('counts actions of a vendor whose key is set', () => {
  const { live } = listWith([], false, { UPSTREAM_INDEP_KEY: 'k' })
  assert.ok(live.includes('indep/search') && live.includes('core/onesearch'))
})
