import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { loadConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-router-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

function fileOf(content: unknown): string {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const settingsOf = (environment: Record<string, string>) => loadConfig(environment).router

describe('the upstreams of the router', () => {
  test('default to none; a key alone selects the aggregator', () => {
    assert.deepEqual(settingsOf({}).upstreams, [])
    assert.deepEqual(settingsOf({ UPSTREAM_LLM_KEY: 'k' }).upstreams, [
      { name: 'llm', url: null, key: 'k', rates: null },
    ])
  })

  test('are read by name, the default first', () => {
    const { upstreams } = settingsOf({
      UPSTREAM_LLM_LOCAL_URL: 'http://10.0.0.1:11434/v1',
      UPSTREAM_LLM_LOCAL_PRICE: '0/0',
      UPSTREAM_LLM_URL: 'http://10.0.0.2:8000/v1',
      UPSTREAM_LLM_B_URL: 'https://b.example/v1',
      UPSTREAM_LLM_B_KEY: 'b',
      UPSTREAM_LLMNATIVE_B_KEY: 'not of the router',
    })
    assert.deepEqual(upstreams, [
      { name: 'llm', url: 'http://10.0.0.2:8000/v1', key: null, rates: null },
      { name: 'b', url: 'https://b.example/v1', key: 'b', rates: null },
      {
        name: 'local',
        url: 'http://10.0.0.1:11434/v1',
        key: null,
        rates: { prompt: 0n, completion: 0n },
      },
    ])
  })

  test('with an invalid price or URL stop the start with a message that names it', () => {
    for (const environment of [
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: 'cheap' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1' },
      { UPSTREAM_LLM_LOCAL_URL: 'ftp://x/' },
    ]) {
      assert.throws(
        () => settingsOf(environment),
        (error) => error instanceof StartError && /invalid|unknown field/.test(error.message),
      )
    }
  })
})

describe('the file of the router', () => {
  test('replaces tiers one by one and adds models with their upstream and price', () => {
    const file = fileOf({
      tiers: { 'core/cheap': ['my-model'] },
      models: {
        'my-model': {
          upstream: 'local',
          upstream_model: 'llama',
          prompt: '0.15',
          completion: 0.6,
          context_length: 8192,
          thinks: false,
        },
      },
    })
    const { tiers, models } = settingsOf({
      UPSTREAM_LLM_LOCAL_URL: 'http://10.0.0.1/v1',
      ROUTER_CONFIG: file,
    })
    assert.deepEqual(tiers.get('core/cheap'), ['my-model'])
    assert.equal(tiers.get('core/best')?.length, 3)
    assert.deepEqual(models.get('my-model'), {
      upstream: 'local',
      upstreamModel: 'llama',
      rates: { prompt: 150_000n, completion: 600_000n },
      contextLength: 8192,
      thinks: false,
    })
  })

  test('stops the start when invalid, naming the cause', () => {
    const contents = [
      'not json',
      [],
      { tires: {} },
      { tiers: {} },
      { tiers: { 'core/cheap': [] } },
      { models: [] },
      { models: { m: { upstream: 'nowhere' } } },
      { models: { m: { prompt: 1 } } },
      { models: { m: { thinks: 'no' } } },
      { models: { 'my modèle': {} } },
      { models: { m: { prompt: 'x', completion: 1 } } },
    ]
    for (const content of contents)
      assert.throws(
        () => settingsOf({ UPSTREAM_LLM_KEY: 'k', ROUTER_CONFIG: fileOf(content) }),
        StartError,
        JSON.stringify(content),
      )
    assert.throws(
      () => settingsOf({ ROUTER_CONFIG: join(folder, 'missing.json') }),
      /missing\.json/,
    )
  })
})

describe('extra request fields', () => {
  test('are listed by name; fields that the gateway sets stop the start', () => {
    assert.deepEqual(
      [...settingsOf({ ROUTER_EXTRA_FIELDS: 'min_tokens, chat_template_kwargs' }).extraFields],
      ['min_tokens', 'chat_template_kwargs'],
    )
    assert.deepEqual([...settingsOf({}).extraFields], [])
    for (const name of ['models', 'max_tokens', 'extra_body', 'not a name'])
      assert.throws(
        () => settingsOf({ ROUTER_EXTRA_FIELDS: `min_tokens,${name}` }),
        (error) => error instanceof StartError && error.message.includes(`"${name}"`),
      )
  })
})
