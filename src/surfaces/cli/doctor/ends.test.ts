import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../app/settings/config.ts'
import type { AnnouncedEnd } from '../../../app/notices/announced-ends.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { checkEnds } from './ends.ts'

const AT_MS = Date.UTC(2027, 0, 4)
const END: AnnouncedEnd = {
  vendor: 'Firecrawl',
  ends: 'POST /v2/map',
  atMs: AT_MS,
  successor: 'POST /v3/map',
  source: 'https://docs.example.com/ends',
  ending: { kind: 'route', baseUrl: 'https://api.firecrawl.dev/v2', path: /^\/map$/ },
}
const lineAt = (nowMs: number, environment = {}) =>
  checkEnds(loadConfig(environment), () => nowMs, [END])[0]

test('warns about an announced end with the days left, its users and its successor', () => {
  const key = { UPSTREAM_RENDER_KEY: 'k' }
  assert.deepEqual(lineAt(AT_MS - 3 * DAY_MS, key), {
    name: 'announced end Firecrawl: POST /v2/map',
    state: 'warning',
    found: 'ends 2027-01-04T00:00:00.000Z, days left: 3; used by render/map',
    fix: 'Successor: POST /v3/map (https://docs.example.com/ends). Update the gateway.',
  })
  assert.match(lineAt(AT_MS, key)?.found ?? '', /^ended /)
})

test('does not warn about the end of a vendor without a key on this gateway', () => {
  const line = lineAt(AT_MS)
  assert.deepEqual([line?.state, line?.fix], ['ok', null])
  assert.match(line?.found ?? '', /no key of the vendor is set$/)
})
