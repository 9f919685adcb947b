import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Delivered } from '../stream/delivered.ts'
import { HiddenTokens } from './hidden-tokens.ts'
import type { Candidate } from '../lists/model.ts'

function candidate(
  id: string,
  {
    parameters = ['max_tokens'],
    reasoning,
    thinks,
  }: { parameters?: readonly string[] | null; reasoning?: bigint; thinks?: boolean } = {},
): Candidate {
  const rates = {
    prompt: 1n,
    completion: 1n,
    overrides: [],
    ...(reasoning === undefined ? {} : { reasoning }),
  }
  const model = {
    id,
    name: id,
    createdSeconds: 0,
    contextLength: null,
    maxCompletionTokens: null,
    rates,
    inputModalities: ['text'],
    parameters,
  }
  return {
    id,
    upstreamModel: id,
    upstream: {
      name: 'llm',
      origin: 'http://x',
      basePath: '',
      key: null,
      dispatcher: undefined as never,
      defaultRates: null,
      isAggregator: false,
      remembersList: false,
    },
    model,
    rates,
    isPricedByUpstream: true,
    ...(thinks === undefined ? {} : { thinks }),
  }
}

const reported = (reasoning: number) => ({
  usage: {
    prompt: 1,
    completion: reasoning + 1,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteLong: 0,
    audioIn: 0,
    reasoning,
    audioOut: 0,
  },
  cost: null,
})
const saying = (thoughts: string) => (): Delivered => {
  const delivered = new Delivered()
  delivered.addChoices([{ index: 0, delta: { content: 'word', reasoning: thoughts } }])
  return delivered
}
const silent = { delivered: saying(''), choices: 1 }

describe('hidden tokens', () => {
  test('are the mean per choice of the last 32 responses, without visible thinking', () => {
    const hidden = new HiddenTokens()
    const one = candidate('a')
    assert.equal(hidden.meanOf(one), 0)
    for (let answer = 0; answer < 40; answer += 1)
      hidden.learn(one, reported(answer < 8 ? 9_000 : 100), silent)
    assert.equal(hidden.meanOf(one), 100)
    const two = candidate('b')
    hidden.learn(two, reported(300), { delivered: saying(''), choices: 2 })
    hidden.learn(two, reported(100), { delivered: saying('x'.repeat(400)), choices: 1 })
    assert.equal(hidden.meanOf(two), 75)
  })

  test('are stored for the thousand most recently used models', () => {
    const hidden = new HiddenTokens()
    hidden.learn(candidate('first'), reported(5), silent)
    hidden.learn(candidate('second'), reported(5), silent)
    const learn = (count: number): void => {
      for (let made = 0; made < count; made += 1)
        hidden.learn(candidate(`m${made}`), reported(5), silent)
    }
    learn(999)
    hidden.learn(candidate('first'), reported(5), silent)
    learn(1_000)
    assert.deepEqual(
      ['first', 'second', 'm999'].map((id) => hidden.meanOf(candidate(id))),
      [5, 0, 5],
    )
  })
})

test('reports that a model cannot think without any sign of thinking in list or usage', () => {
  const hidden = new HiddenTokens()
  assert.ok(!hidden.canThink(candidate('plain')))
  for (const thinking of [
    candidate('a', { parameters: null }),
    candidate('b', { parameters: ['reasoning'] }),
    candidate('c', { parameters: ['reasoning_effort'] }),
    candidate('d', { reasoning: 1n }),
  ])
    assert.ok(hidden.canThink(thinking), thinking.id)
  hidden.learn(candidate('plain'), reported(5), silent)
  assert.ok(hidden.canThink(candidate('plain')))
})

test("follows the operator's setting for whether a model can think", () => {
  const hidden = new HiddenTokens()
  assert.ok(!hidden.canThink(candidate('own', { parameters: null, thinks: false })))
  assert.ok(hidden.canThink(candidate('other', { thinks: true })))
})
