import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../lib/clock.ts'
import { DEFAULT_TIERS } from '../../llm/lists/tiers.ts'
import { services } from '../../vendors/index.ts'
import { ANNOUNCED_ENDS, type AnnouncedEnd } from './announced-ends.ts'
import { findEnds } from './find-ends.ts'

const sources = { services, tiers: DEFAULT_TIERS, upstreams: new Map() }
const NOW = Date.UTC(2026, 10, 28)

function end(ending: AnnouncedEnd['ending'], atMs = NOW + DAY_MS): AnnouncedEnd {
  return { vendor: 'v', ends: 'e', atMs, successor: 's', source: 'https://v.example/', ending }
}
const usedBy = (ending: AnnouncedEnd['ending']) =>
  findEnds(sources, NOW, [end(ending)]).flatMap((line) => line.usedBy)

test('every announced end has an action, path, tier or price that depends on it', () => {
  const kept = new Set(findEnds(sources, NOW).map(({ ends }) => ends))
  const stale = ANNOUNCED_ENDS.filter(({ ends }) => !kept.has(ends)).map(({ ends }) => ends)
  assert.deepEqual(stale, [], 'delete these rows')
  for (const { source, successor } of ANNOUNCED_ENDS)
    assert.deepEqual([URL.parse(source)?.protocol, successor === ''], ['https:', false])
})

test('finds the actions of a route, the paths of a passthrough and the tiers of a model', () => {
  const route = (baseUrl: string, path: RegExp) => usedBy({ kind: 'route', baseUrl, path })
  assert.deepEqual(route('https://api.firecrawl.dev/v2', /^\/map$/), ['render/map'])
  assert.deepEqual(route('https://api.firecrawl.dev/v2', /^\/none$/), [])
  assert.deepEqual(route('https://elsewhere.example', /^\/map$/), [])
  assert.deepEqual(route('https://gamma-api.polymarket.com', /^\/public-search$/), [
    '/api/v1/surf/search/polymarket',
    '/api/v1/pm/markets/search',
  ])
  const model = (name: string) => usedBy({ kind: 'model', name })
  assert.deepEqual(model('gpt-6-luna'), ['core/cheap', 'llmnative-b'])
  assert.deepEqual(model('text-embedding-ada-002'), ['llmnative-b/embeddings'])
  assert.deepEqual(model('gpt-unheard-of'), [])
})

test('counts the days left, and shows an end that is over as ended', () => {
  const model = { kind: 'model', name: 'gpt-6-luna' } as const
  const lines = findEnds(sources, NOW, [
    end(model, NOW + 3 * DAY_MS - 1),
    end(model, NOW),
    end(model, NOW + 1),
  ])
  assert.deepEqual(
    lines.map(({ daysLeft, isOver }) => [daysLeft, isOver]),
    [
      [0, true],
      [1, false],
      [3, false],
    ],
  )
})

test('is in use with the key of a dependent, or without one that it needs', () => {
  const inUse = (ending: AnnouncedEnd['ending'], labels: readonly string[]) =>
    findEnds({ ...sources, upstreams: new Map(labels.map((label) => [label, {}])) }, NOW, [
      end(ending),
    ]).map(({ isInUse }) => isInUse)
  const model = { kind: 'model', name: 'gpt-6-luna' } as const
  assert.deepEqual(inUse(model, []), [false])
  assert.deepEqual(inUse(model, ['llm']), [true])
  assert.deepEqual(inUse(model, ['render']), [false])
  const open = {
    kind: 'route',
    baseUrl: 'https://gamma-api.polymarket.com',
    path: /^\/public-search$/,
  } as const
  assert.deepEqual(inUse(open, []), [true])
})
