import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent } from 'undici'
import { descriptor } from '../../../catalog/published/descriptor.ts'
import { mediaCatalog } from '../../../catalog/published/media-catalog.ts'
import { worstCase } from '../../../catalog/prices/price.ts'
import { openCatalog } from './open-catalog.ts'

const OWN = [
  'ffmpeg-assembly',
  'ffmpeg-captions',
  'ffmpeg-convert',
  'ffmpeg-thumbnail',
  'espeak-ng',
]

function openWith({
  without = [],
  hasKey = false,
  prices = 'list',
}: {
  readonly without?: readonly string[]
  readonly hasKey?: boolean
  readonly prices?: 'list' | 'zero'
}) {
  const dispatcher = new Agent()
  const { catalog, lanes } = openCatalog({
    prices,
    means: {
      hasModel: false,
      parts: new Set(['media']),
      proxies: [],
      without: new Set(without),
    },
    sources: {
      upstreams: new Map(hasKey ? [['media', { url: null, credentials: { KEY: 'a-key' } }]] : []),
      guardedDispatcher: dispatcher,
      operatorDispatcher: dispatcher,
      simulatorUrl: 'http://127.0.0.1:9',
      userAgent: 'test',
    },
  })
  const published = {
    services: catalog.services,
    laneOf: lanes.statusOf,
    publicUrl: 'https://gate.example',
  }
  const { action, service } = catalog.findAction('media', 'generate')
  const models = mediaCatalog(published).models
  return {
    service,
    action,
    described: descriptor(published, service, 'generate'),
    models,
    live: models.filter((model) => model.live !== null).map((model) => model.model),
  }
}

test('shows the models of this machine as live without a key, and those of the vendor with one', () => {
  const { described, live } = openWith({})
  assert.deepEqual(live, OWN)
  assert.deepEqual([described.live, described.lanes], ['in-house', ['vendor', 'in-house']])
  assert.deepEqual(described.live_models, OWN)
  const keyed = openWith({ hasKey: true })
  assert.equal(keyed.live.length, keyed.models.length)
  assert.equal(keyed.described.live, 'vendor')
  assert.equal(keyed.models.find(({ model }) => model === 'espeak-ng')?.live, 'in-house')
})

test('shows only the models whose program is installed, and an example that works', () => {
  const speech = openWith({ without: ['media.ffmpeg'] })
  assert.deepEqual(speech.live, ['espeak-ng'])
  assert.equal(speech.described.example['model'], 'espeak-ng')
  const films = openWith({ without: ['media.espeak-ng'] })
  assert.deepEqual(films.live, OWN.slice(0, 4))
  assert.equal(films.described.example['model'], 'ffmpeg-thumbnail')
  assert.equal(openWith({ hasKey: true }).described.example['model'], 'flux-schnell')
  assert.equal(openWith({ without: ['media.ffmpeg', 'media.espeak-ng'] }).described.live, null)
})

test('prices only the models of this machine at zero, also with a key of the vendor', () => {
  const { action, models } = openWith({ prices: 'zero', hasKey: true })
  const held = (model: string) => worstCase(action, { model, text: 'Hello.', video_url: 'x' })
  assert.deepEqual([held('espeak-ng'), held('ffmpeg-convert')], [0n, 0n])
  assert.ok(held('kokoro') > 0n)
  assert.deepEqual(
    models.filter(({ max_price_cents: most }) => most === 0).map(({ model }) => model),
    OWN,
  )
})
