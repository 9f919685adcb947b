import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../settings/config.ts'
import { listLiveActions } from './live-actions.ts'

const listWith = (parts: readonly string[], hasModel = false, environment = {}) =>
  listLiveActions(loadConfig(environment), {
    hasModel,
    parts: new Set(parts),
    proxies: loadConfig(environment).inHouse.proxies,
  })

test('counts every action once, and parts and a language model make more of them live', () => {
  const bare = listWith([])
  assert.equal(new Set([...bare.live, ...bare.off]).size, bare.live.length + bare.off.length)
  assert.ok(bare.live.includes('encyclopedia/page'))
  assert.ok(bare.off.includes('indep/search'))
  const gained = (live: readonly string[]) => live.filter((name) => !bare.live.includes(name))
  assert.deepEqual(gained(listWith(['git']).live), ['gitstore/repo-create', 'gitstore/repo-get'])
  assert.deepEqual(gained(listWith(['emails']).live), [
    'contactfind/email-verify',
    'emailintel/email-verifier',
    'emailintel/email-finder',
    'emailintel/domain-search',
    'emailintel/author-finder',
    'emailasync/email-search',
    'emailasync/email-verification',
    'emailasync/domain-scan',
    'emailasync/result',
  ])
  assert.deepEqual(gained(listWith([], true).live), ['render/extract', 'render2/extract'])
  assert.deepEqual(gained(listWith(['readers']).live), ['unblock/unblock'])
  // Multi-source actions that need other results of these services, such as core/onefind, stay off.
  assert.deepEqual(gained(listWith(['search']).live), [
    'core/onesearch',
    'core/onesearch-deep',
    'semantic/search',
    'indep/search',
    'indep/news',
    'rag/search',
    'cited/search',
    'cited/deep-search',
    'agentic/search',
    'render/search',
    'render2/search',
  ])
  const EGRESS_PROXIES = 'de=http://127.0.0.1:9,us-residential=http://127.0.0.1:9'
  assert.deepEqual(gained(listWith(['readers'], true, { EGRESS_PROXIES }).live), [
    'render/extract',
    'render2/extract',
    'unblock/unblock',
    'proxy/scrape',
    'proxy/markdown',
    'proxy/scrape_residential',
    'proxy/extract',
    'geoegress/scrape',
  ])
})

test('counts actions of a vendor whose key is set', () => {
  const { live } = listWith([], false, { UPSTREAM_INDEP_KEY: 'k' })
  assert.ok(live.includes('indep/search') && live.includes('core/onesearch'))
})
