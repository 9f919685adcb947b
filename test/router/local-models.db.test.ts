/** Language models on the operator's machine with a price of zero, next to paid ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRouterBed, upstreamAt } from '../harness/beds/router.ts'
import { startLocalModelServer } from '../harness/vendors/local-model-server.ts'

const ollama = await startLocalModelServer('ollama')
const bed = await openRouterBed({
  upstreams: (url, dispatcher) => [
    upstreamAt('llm', url, dispatcher),
    upstreamAt('local', ollama, dispatcher, {
      isAggregator: false,
      key: null,
      defaultRates: { prompt: 0n, completion: 0n, overrides: [] },
    }),
  ],
  tiers: new Map([['core/cheap', ['llama3.2:3b', 'maker/small']]]),
})
const body = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] })

test('a model with a price of zero charges nothing, and its call is recorded', async () => {
  const before = await bed.wallet()
  const response = await bed.post(body('llama3.2:3b'))
  assert.equal(response.status, 200)
  const { usage } = (await response.json()) as { usage: { cost: number; total_tokens: number } }
  assert.deepEqual([usage.cost, usage.total_tokens], [0, 12])
  assert.equal(response.headers.get('x-charged-micros'), '0')
  const [posted] = await bed.postedCount(1)
  // The ledger records no hold of zero: one micro-dollar is reserved and returned.
  assert.deepEqual([posted?.charged, posted?.held], [0n, 1n])
  assert.deepEqual(await bed.wallet(), before)
  assert.equal(await bed.isSound(), true)
})

test('a tier mixes free local and paid models, and lists which are free', async () => {
  const response = await bed.post(body('core/cheap'))
  assert.equal(response.headers.get('x-charged-micros'), '0')
  const pricing = (await (await fetch(`${bed.url}/pricing`)).json()) as {
    tiers: Record<string, { model: string; prompt: number; free?: boolean }[]>
  }
  assert.deepEqual(
    pricing.tiers['core/cheap']?.map(({ model, prompt, free }) => [model, prompt, free]),
    [
      ['llama3.2:3b', 0, true],
      ['maker/small', 0.1, undefined],
    ],
  )
})
