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
        rates: { prompt: 0n, completion: 0n, overrides: [] },
      },
    ])
  })

  test('with an invalid price or URL stop the start with a message that names it', () => {
    for (const environment of [
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: 'cheap' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1/2,input_cache_read' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1/2,input_cache_read=cheap' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1/2,cache_read=1' },
      { UPSTREAM_LLM_URL: 'http://x/', UPSTREAM_LLM_PRICE: '1/2,overrides=1' },
      { UPSTREAM_LLM_LOCAL_URL: 'ftp://x/' },
    ]) {
      assert.throws(
        () => settingsOf(environment),
        (error) => error instanceof StartError && /invalid/.test(error.message),
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
      rates: { prompt: 150_000n, completion: 600_000n, overrides: [] },
      contextLength: 8192,
      thinks: false,
    })
  })

  test('sets every price that a model can have', () => {
    const prices = {
      prompt: '1',
      completion: '2',
      input_cache_read: '0.1',
      input_cache_write: '1.25',
      input_cache_write_1h: '2',
      internal_reasoning: '3',
      audio: '4',
      request: '0.01',
      image: '0.002',
    }
    const overrides = [
      { min_prompt_tokens: 200_000, prompt: '2', input_cache_read: '0' },
      { utc_start: '1630', utc_end: '0030', completion: '1' },
    ]
    const file = fileOf({ models: { m: { ...prices, overrides } } })
    const { models, upstreams } = settingsOf({
      UPSTREAM_LLM_URL: 'http://x/v1',
      UPSTREAM_LLM_PRICE: Object.entries(prices)
        .slice(2)
        .reduce((text, [name, price]) => `${text}, ${name}=${price}`, '1/2'),
      ROUTER_CONFIG: file,
    })
    const rates = {
      prompt: 1_000_000n,
      completion: 2_000_000n,
      cacheRead: 100_000n,
      cacheWrite: 1_250_000n,
      cacheWriteLong: 2_000_000n,
      reasoning: 3_000_000n,
      audio: 4_000_000n,
      request: 10_000_000_000n,
      image: 2_000_000_000n,
    }
    assert.deepEqual(upstreams[0]?.rates, { ...rates, overrides: [] })
    assert.deepEqual(models.get('m')?.rates, {
      ...rates,
      overrides: [
        {
          minPromptTokens: 200_000,
          hours: null,
          rates: { ...rates, prompt: 2_000_000n, cacheRead: 0n },
        },
        {
          minPromptTokens: 0,
          hours: { start: 1630, end: 30 },
          rates: { ...rates, completion: 1_000_000n },
        },
      ],
    })
  })

  test('stops the start for an unknown field at any depth, and names it', () => {
    const priced = { prompt: 1, completion: 1 }
    for (const [content, named] of [
      [{ tires: {} }, /unknown field "tires".*"tiers"/],
      [{ models: { m: { prize: '1' } } }, /models\["m"\]: unknown field "prize"/],
      [
        { models: { m: { ...priced, input_cache_raed: '1' } } },
        /unknown field "input_cache_raed".*"input_cache_read"/,
      ],
      [
        { models: { m: { ...priced, overrides: [{ min_tokens: 1 }] } } },
        /overrides\[0\]: unknown field "min_tokens"/,
      ],
      [
        { upstreams: { llm: { wires: ['chat'], prise: 1 } } },
        /upstreams\["llm"\]: unknown field "prise"/,
      ],
    ] as const)
      assert.throws(
        () => settingsOf({ UPSTREAM_LLM_KEY: 'k', ROUTER_CONFIG: fileOf(content) }),
        (error) => error instanceof StartError && named.test(error.message),
        JSON.stringify(content),
      )
  })

  test('names the dialect of an upstream, with or without its APIs', () => {
    const dialectIn = (upstreams: object) =>
      settingsOf({ UPSTREAM_LLM_KEY: 'k', ROUTER_CONFIG: fileOf({ upstreams }) }).upstreams.map(
        ({ dialect, wires }) => [dialect, wires],
      )
    assert.deepEqual(dialectIn({ llm: { dialect: 'vllm' } }), [['vllm', undefined]])
    assert.deepEqual(dialectIn({ llm: { wires: ['chat'], dialect: 'openai' } }), [
      ['openai', ['chat']],
    ])
  })

  test('stops the start when invalid, naming the cause', () => {
    const contents = [
      'not json',
      [],
      { tires: {} },
      { tiers: {} },
      { tiers: { 'core/cheap': [] } },
      { models: [] },
      { upstreams: { llm: {} } },
      { upstreams: { llm: { dialect: 'klingon' } } },
      { upstreams: { llm: { wires: ['morse'], dialect: 'vllm' } } },
      { models: { m: { upstream: 'nowhere' } } },
      { models: { m: { prompt: 1 } } },
      { models: { m: { thinks: 'no' } } },
      { models: { 'my modèle': {} } },
      { models: { m: { prompt: 'x', completion: 1 } } },
      { models: { m: 'llama' } },
      { models: { m: { input_cache_read: 1 } } },
      { models: { m: { prompt: 1, completion: 1, input_cache_read: 'x' } } },
      { models: { m: { prompt: 1, completion: 1, image: -1 } } },
      { models: { m: { prompt: 1, completion: 1, overrides: {} } } },
      { models: { m: { prompt: 1, completion: 1, overrides: [{ prompt: 2 }] } } },
      { models: { m: { prompt: 1, completion: 1, overrides: [{ utc_start: '0830' }] } } },
      { models: { m: { prompt: 1, completion: 1, overrides: [{ min_prompt_tokens: 'x' }] } } },
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
