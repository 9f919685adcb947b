import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../../lib/schema.ts'
import { Agent } from 'undici'
import {
  call,
  defineService,
  endpoint,
  openSource,
  params,
} from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { free } from '../../catalog/vocabulary/tariff.ts'
import { bearer, get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import type { Gates } from '../../upstream/limits/gates.ts'
import { createLanes } from './lanes.ts'
import type { Lane } from './lane-parts.ts'
import { noLane } from './no-lane.ts'
import type { UpstreamSettings } from './endpoints.ts'

const keyed: Vendor = {
  baseUrl: 'https://keyed.example/v1',
  auth: bearer(),
  docsUrl: 'https://keyed.example/docs',
}
const open: Vendor = {
  label: 'library',
  baseUrl: 'https://open.example',
  origins: { data: 'https://data.open.example/api' },
  auth: noAuth,
  headers: { 'x-fixed': 'yes' },
  docsUrl: 'https://open.example/docs',
}
const optional: Vendor = {
  ...open,
  label: 'optional',
  auth: { in: 'query', name: 'key', credential: 'KEY', optional: true },
  limits: { perDay: 100 },
  limitsWithKey: { perDay: 5_000 },
}

const common = { price: free, timeoutMs: 1_000 }
const wire = { request: () => get('/x'), reply: Type.Object({}), outcome: () => done({}) }
const record = { ...common, summary: 'Something.', input: params({}), example: {}, ...wire }
const source = openSource({ vendor: open, ...wire })
const services = [
  defineService({
    id: 'library',
    title: 'Open',
    category: 'x',
    vendor: open,
    actions: { read: call(record) },
  }),
  defineService({
    id: 'optional',
    title: 'Optional',
    category: 'x',
    vendor: optional,
    actions: { read: call(record) },
  }),
  defineService({
    id: 'pair',
    title: 'Pair',
    category: 'x',
    vendor: { ...keyed, auth: { in: 'basic', user: 'USERNAME', password: 'PASSWORD' } },
    actions: { read: call(record) },
  }),
  defineService({
    id: 'team',
    title: 'Team',
    category: 'x',
    vendor: { ...keyed, requiredSettings: ['TEAM_ID'] },
    actions: { read: call(record) },
  }),
  defineService({
    id: 'till',
    title: 'Till',
    category: 'x',
    vendor: { ...keyed, isPaidOnly: true },
    actions: {
      plain: call({ ...record, merchant: { at: tempoMerchant(keyed.baseUrl) } }),
      backed: call({ ...record, openSource: { vendor: open, ...wire } }),
    },
  }),
  defineService({
    id: 'slow',
    title: 'Slow',
    category: 'x',
    vendor: { ...keyed, limits: { perSecond: 5 } },
    actions: { read: call(record), poll: call({ ...record, limits: { perMinute: 30 } }) },
  }),
  defineService({
    id: 'shop',
    title: 'Shop',
    category: 'x',
    vendor: keyed,
    actions: {
      plain: call(record),
      backed: call({ ...record, openSource: { vendor: open, ...wire } }),
      own: call({ ...record, inHouse: 'shop.own', isOnlyInHouse: (input) => 'x' in input }),
    },
  }),
  defineService({
    id: 'hub',
    title: 'Hub',
    category: 'x',
    actions: {
      fetch: endpoint({
        ...common,
        summary: 'Passes on.',
        example: { endpoint: '/a' },
        reply: Type.Object({}),
        outcome: () => done({}),
        endpoints: [
          { endpoint: '/a', method: 'GET', summary: 'A.', params: [], openSource: source },
          { endpoint: '/b', method: 'GET', summary: 'B.', params: [], inHouse: 'hub.b' },
          { endpoint: '/c', method: 'GET', summary: 'C.', params: [] },
        ],
      }),
    },
  }),
]
const catalog = createCatalog(services)

function lanesWith(settings: Record<string, Partial<UpstreamSettings>> = {}, gates?: Gates) {
  const dispatcher = new Agent()
  const upstreams = new Map(
    Object.entries(settings).map(([label, set]) => [label, { url: null, credentials: {}, ...set }]),
  )
  const lanes = createLanes({
    catalog,
    upstreams,
    guardedDispatcher: dispatcher,
    operatorDispatcher: new Agent(),
    inHouse: new Set(['shop.own', 'hub.b']),
    simulatorUrl: 'http://127.0.0.1:9',
    userAgent: 'Gate/1.0 (me@gate.example.com)',
    ...(gates === undefined ? {} : { gates }),
  })
  const laneOf = (id: string, mode: 'live' | 'test' = 'live', input = {}): Lane | null => {
    const [service = '', action = ''] = id.split('/')
    return lanes.laneFor(catalog.findAction(service, action), mode, input)
  }
  return { ...lanes, laneOf, dispatcher }
}

function targetOf(lane: Lane | null) {
  assert.ok(lane !== null && 'target' in lane)
  return lane.target
}

describe('lanes', () => {
  it('serves a vendor without a key from the start, through the guard, with a user agent', () => {
    const { laneOf, statusOf, dispatcher } = lanesWith()
    const lane = laneOf('library/read')
    assert.equal(lane?.kind, 'open')
    const { origin, origins, headers, dispatcher: used } = targetOf(lane)
    assert.equal(origin, 'https://open.example')
    assert.deepEqual(origins?.['data'], { origin: 'https://data.open.example', basePath: '/api' })
    assert.deepEqual(headers, { 'x-fixed': 'yes', 'user-agent': 'Gate/1.0 (me@gate.example.com)' })
    assert.equal(used, dispatcher)
    assert.deepEqual(statusOf('library', 'read'), { live: 'in-house', lanes: ['in-house'] })
  })

  it('sends the user agent of the operator to a vendor with a key', () => {
    const { laneOf } = lanesWith({ slow: { credentials: { KEY: 'k' } } })
    assert.equal(
      targetOf(laneOf('slow/read')).headers?.['user-agent'],
      'Gate/1.0 (me@gate.example.com)',
    )
  })

  it('gives an action with separate limits its own gate, and the others the gate of the vendor', () => {
    const asked: [string, unknown][] = []
    const gates = {
      gateOf: (label: string, limits: unknown) => (asked.push([label, limits]), { label }),
    } as unknown as Gates
    const { laneOf } = lanesWith({ slow: { credentials: { KEY: 'k' } } }, gates)
    assert.deepEqual(
      [targetOf(laneOf('slow/read')).gate, targetOf(laneOf('slow/poll')).gate],
      [{ label: 'slow' }, { label: 'slow/poll' }],
    )
    assert.deepEqual(
      asked.filter(([label]) => label.startsWith('slow')),
      [
        ['slow', { perSecond: 5 }],
        ['slow/poll', { perMinute: 30 }],
      ],
    )
    assert.equal(targetOf(laneOf('slow/poll', 'test')).gate, undefined)
  })

  it('needs all credentials of a vendor, unless its URL is replaced', () => {
    assert.equal(lanesWith({ pair: { credentials: { USERNAME: 'u' } } }).laneOf('pair/read'), null)
    assert.equal(
      lanesWith({ pair: { credentials: { USERNAME: 'u', PASSWORD: 'p' } } }).laneOf('pair/read')
        ?.kind,
      'vendor',
    )
    assert.equal(
      lanesWith({ pair: { url: 'http://elsewhere.example' } }).laneOf('pair/read')?.kind,
      'vendor',
    )
  })

  it('needs the key and the setting of a vendor, for callers and in the index', () => {
    const { laneOf, statusOf } = lanesWith({ team: { credentials: { KEY: 'k' } } })
    assert.deepEqual([laneOf('team/read'), statusOf('team', 'read').live], [null, null])
    assert.match(
      noLane(catalog.findAction('team', 'read')).fix ?? '',
      /sets UPSTREAM_TEAM_KEY and UPSTREAM_TEAM_TEAM_ID\./,
    )
    assert.equal(
      lanesWith({ team: { credentials: { KEY: 'k', TEAM_ID: 't' } } }).laneOf('team/read')?.kind,
      'vendor',
    )
  })

  it('ignores a key for a merchant that uses none', () => {
    const { laneOf, statusOf } = lanesWith({ till: { credentials: { KEY: 'k' } } })
    assert.deepEqual([laneOf('till/plain'), statusOf('till', 'plain').live], [null, null])
    assert.equal(targetOf(laneOf('till/backed')).service, 'library')
    assert.equal(statusOf('till', 'backed').live, 'in-house')
    const { message, fix } = noLane(catalog.findAction('till', 'plain'))
    assert.match(
      `${message} ${fix}`,
      /has no wallet that pays its merchant.*sets a wallet that pays by the call\.$/,
    )
    assert.equal(
      lanesWith({ till: { url: 'http://elsewhere.example', credentials: { KEY: 'k' } } }).laneOf(
        'till/plain',
      )?.kind,
      'vendor',
    )
  })

  it('turns an open lane into a vendor lane with an optional key', () => {
    assert.equal(lanesWith().laneOf('optional/read')?.kind, 'open')
    const { laneOf, statusOf } = lanesWith({ optional: { credentials: { KEY: 'k' } } })
    assert.equal(laneOf('optional/read')?.kind, 'vendor')
    assert.deepEqual(statusOf('optional', 'read'), {
      live: 'vendor',
      lanes: ['vendor', 'in-house'],
    })
  })

  it('uses the limits of an optional key, but not for a replaced URL alone', () => {
    const limitsWith = (settings: Record<string, Partial<UpstreamSettings>>): unknown => {
      const asked = new Map<string, unknown>()
      const gates = {
        gateOf: (label: string, limits: unknown) => (asked.set(label, limits), { label }),
      } as unknown as Gates
      lanesWith(settings, gates).laneOf('optional/read')
      return asked.get('optional')
    }
    assert.deepEqual(limitsWith({}), { perDay: 100 })
    assert.deepEqual(limitsWith({ optional: { url: 'http://elsewhere.example' } }), { perDay: 100 })
    assert.deepEqual(limitsWith({ optional: { credentials: { KEY: 'k' } } }), { perDay: 5_000 })
  })

  it('reaches every host of a vendor at a replaced URL', () => {
    const { origin, basePath, origins } = targetOf(
      lanesWith({ library: { url: 'http://elsewhere.example/open' } }).laneOf('library/read'),
    )
    assert.deepEqual(
      [origin, basePath, origins?.['data']?.basePath],
      ['http://elsewhere.example', '/open', '/open/data'],
    )
  })

  it('prefers the vendor key to the public source, and the public source to none', () => {
    const without = lanesWith()
    assert.equal(without.laneOf('shop/plain'), null)
    assert.equal(targetOf(without.laneOf('shop/backed')).service, 'library')
    assert.equal(without.laneOf('shop/own')?.kind, 'in-house')
    assert.deepEqual(without.statusOf('shop', 'plain'), { live: null, lanes: ['vendor'] })
    assert.deepEqual(without.statusOf('shop', 'backed'), {
      live: 'in-house',
      lanes: ['vendor', 'in-house'],
    })
    const { laneOf } = lanesWith({ shop: { credentials: { KEY: 'k' } } })
    for (const name of ['plain', 'backed', 'own'])
      assert.equal(laneOf(`shop/${name}`)?.kind, 'vendor')
  })

  it('carries out input that the vendor does not support itself, but not in test mode', () => {
    const { laneOf } = lanesWith({ shop: { credentials: { KEY: 'k' } } })
    assert.equal(laneOf('shop/own', 'live', { x: 1 })?.kind, 'in-house')
    assert.equal(laneOf('shop/own', 'test', { x: 1 })?.kind, 'simulator')
  })

  it('sends a test call to the simulator of the vendor, else of its public source', () => {
    const { laneOf } = lanesWith({ shop: { credentials: { KEY: 'k' } } })
    assert.equal(targetOf(laneOf('shop/backed', 'test')).basePath, '/shop')
    const lane = laneOf('hub/fetch', 'test', { endpoint: '/a' })
    assert.equal(lane?.kind, 'simulator')
    assert.equal(targetOf(lane).basePath, '/library')
    assert.equal(laneOf('hub/fetch', 'test', { endpoint: '/b' }), null)
  })

  it('finds a lane for each path of a passthrough', () => {
    const { laneOf, statusOf } = lanesWith()
    assert.equal(laneOf('hub/fetch', 'live', { endpoint: '/a' })?.kind, 'open')
    assert.equal(laneOf('hub/fetch', 'live', { endpoint: '/b' })?.kind, 'in-house')
    assert.equal(laneOf('hub/fetch', 'live', { endpoint: '/c' }), null)
    assert.deepEqual(statusOf('hub', 'fetch'), { live: 'in-house', lanes: ['in-house'] })
    assert.deepEqual(statusOf('hub', 'fetch', '/b'), { live: 'in-house', lanes: ['in-house'] })
    assert.deepEqual(statusOf('hub', 'fetch', '/c'), { live: null, lanes: [] })
  })
})
