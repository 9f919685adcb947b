import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOf, startModelServer } from '../../../../test/harness/vendors/model-upstream.ts'
import {
  startLocalModelServer,
  type LocalServerKind,
} from '../../../../test/harness/vendors/local-model-server.ts'
import type { RouterUpstream } from '../../../app/settings/router-settings.ts'
import { checkModels } from './models.ts'

const upstream = await startModelServer()
const llm = { name: 'llm', url: upstream.url, key: 'upstream-secret-key', rates: null }
const tiersOf = (...members: string[]) => new Map([['core/cheap', members]])
const check = (
  tiers: ReadonlyMap<string, readonly string[]>,
  upstreams: readonly RouterUpstream[] = [llm],
) =>
  checkModels(
    { upstreams, tiers, models: new Map(), aliases: new Map(), extraFields: new Set() },
    Date.now,
  )

test('reports ok when the upstreams offer every model of the tiers', async () => {
  const { state, found } = await check(tiersOf('maker/small', 'maker/large'))
  assert.deepEqual([state, /^llm \(127\.0\.0\.1:\d+, 2 models\)$/.test(found)], ['ok', true], found)
})

test('names models of a tier that are missing or have no price', async () => {
  upstream.list = listOf({ 'maker/small': ['0.1', '0.2'], 'maker/unpriced': null })
  const { state, found, fix } = await check(tiersOf('maker/small', 'maker/gone', 'maker/unpriced'))
  assert.deepEqual(
    [state, found.split('; ')[1], fix?.includes('ROUTER_CONFIG')],
    ['missing', 'not offered: maker/gone, maker/unpriced of core/cheap', true],
  )
})

test('names the setting for prices when an upstream lists none', async () => {
  upstream.list = listOf({ llama: null })
  const { state, fix } = await check(tiersOf('llama'))
  assert.deepEqual([state, fix?.startsWith('Set UPSTREAM_LLM_PRICE, such as')], ['missing', true])
  upstream.list = listOf()
  assert.equal((await check(tiersOf('maker/small'), [llm, { ...llm, name: 'twin' }])).state, 'ok')
  upstream.list = listOf({ llama: null })
  assert.equal(
    (
      await check(tiersOf('llama'), [
        { ...llm, rates: { prompt: 0n, completion: 0n, overrides: [] } },
      ])
    ).state,
    'ok',
  )
})

test('reports an unreachable upstream as broken without its key', async () => {
  upstream.list = null
  const report = await check(tiersOf('maker/small'))
  assert.deepEqual(
    [
      report.state,
      report.found.includes('no list of models'),
      JSON.stringify(report).includes('secret'),
    ],
    ['broken', true, false],
  )
})

test('names Ollama, vLLM and llama.cpp by their APIs, with their models', async () => {
  const free = { prompt: 0n, completion: 0n, overrides: [] }
  const foundAt = async (kind: LocalServerKind, model: string) => {
    const url = await startLocalModelServer(kind)
    const { state, found } = await check(tiersOf(model), [{ ...llm, url, key: null, rates: free }])
    return [state, found.replace(/127\.0\.0\.1:\d+/, 'HOST')]
  }
  assert.deepEqual(await foundAt('ollama', 'qwen3:8b'), [
    'ok',
    'llm (Ollama 0.9.6 at HOST, 2 models: llama3.2:3b, qwen3:8b, without a key, free)',
  ])
  assert.deepEqual(await foundAt('vllm', 'Qwen/Qwen3-8B'), [
    'ok',
    'llm (vLLM at HOST, 1 models: Qwen/Qwen3-8B, without a key, free)',
  ])
  assert.deepEqual(await foundAt('llama.cpp', 'gemma-3-4b.gguf'), [
    'ok',
    'llm (llama.cpp at HOST, 1 models: gemma-3-4b.gguf, without a key, free)',
  ])
})
