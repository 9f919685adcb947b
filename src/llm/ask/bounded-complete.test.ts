import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { newId } from '../../lib/ids.ts'
import { createPlainDispatcher } from '../../upstream/http1/plain-dispatcher.ts'
import { createDirectory } from '../lists/directory.ts'
import type { Candidate } from '../lists/model.ts'
import { costAt } from '../lists/rates.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { plainUsage } from '../tokens/token-price.ts'
import { createBoundedComplete, limitsOf } from './bounded-complete.ts'
import { ROUTER_TIMES } from './open-first.ts'
import type { ModelUpstream } from './upstream.ts'

type Sent = { model: string; max_tokens: number; messages: { content: string }[] }

const TEXT = 'The crane lifts forty tonnes over the quay. '
const ratesOf = (prompt: bigint, completion: bigint) => ({ prompt, completion, overrides: [] })
/** One dollar and five dollars per million tokens; and a hundred times that. */
const CHEAP = ratesOf(1_000_000n, 5_000_000n)
const DEAR = ratesOf(100_000_000n, 500_000_000n)

describe('a completion within a cost limit', () => {
  const sent: Sent[] = []
  let failing = new Set<string>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const asked = JSON.parse(body) as Sent
      sent.push(asked)
      const isFailing = failing.has(asked.model)
      response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: `answer of ${asked.model}` }
      response.end(JSON.stringify(isFailing ? { error: {} } : { choices: [{ message }] }))
    })
  })
  const dispatcher = createPlainDispatcher()
  let complete: (more?: {
    texts?: readonly string[]
    mostMicros?: bigint
  }) => Promise<{ answer: string; isCut: boolean } | null>

  before(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const upstream: ModelUpstream = {
      name: 'llm',
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      basePath: '',
      key: null,
      dispatcher,
      defaultRates: null,
      isAggregator: false,
      remembersList: false,
    }
    const models = new Map(
      [['dear', DEAR] as const, ['cheap', CHEAP] as const, ['second', CHEAP] as const].map(
        ([id, rates]) => [
          id,
          {
            id,
            name: id,
            createdSeconds: 0,
            contextLength: null,
            maxCompletionTokens: null,
            rates,
            inputModalities: ['text'],
            parameters: null,
          },
        ],
      ),
    )
    const list = { models, fetchedMs: 0 }
    const directory = createDirectory({
      lists: { of: async () => list, atHand: () => list },
      upstreams: [upstream],
      simulator: upstream,
      tiers: new Map([['core/cheap', ['dear', 'cheap', 'second']]]),
      models: new Map(),
    })
    const run = createBoundedComplete({ directory, times: ROUTER_TIMES, now: manualClock(0) })
    complete = ({ texts = [TEXT], mostMicros = 4_000n } = {}) =>
      run({
        system: 'Extract.',
        prompt: 'Data:',
        texts,
        mostMicros,
        maxTokens: 3_000,
        mode: 'live',
        accountId: newId(0),
        signal: new AbortController().signal,
      })
  })
  after(async () => {
    await dispatcher.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    sent.length = 0
    failing = new Set()
  })

  const costOf = ({ messages, max_tokens: most }: Sent): bigint =>
    costAt(
      CHEAP,
      plainUsage(estimateTokens(messages.map(({ content }) => content).join('\n')), most),
      0,
    )

  it('skips a model that is too expensive for a useful part of the text', async () => {
    assert.deepEqual(await complete({ texts: [TEXT.repeat(20)] }), {
      answer: 'answer of cheap',
      isCut: false,
    })
    assert.deepEqual(
      sent.map(({ model }) => model),
      ['cheap'],
    )
  })

  it('never requests more than the limit buys, for any length of the text', async () => {
    for (const times of [1, 100, 1_000, 20_000])
      for (const mostMicros of [3_000n, 5_000n, 40_000n]) {
        const answer = await complete({
          texts: [TEXT.repeat(times), 'x '.repeat(times)],
          mostMicros,
        })
        const last = sent.at(-1) ?? assert.fail('nothing was sent')
        assert.ok(costOf(last) <= mostMicros, `${times} ${mostMicros} ${costOf(last)}`)
        assert.equal(answer?.isCut, !last.messages[1]?.content.includes(TEXT.repeat(times)))
      }
  })

  it('cuts the longest text and leaves the others whole', async () => {
    const short = 'The short page ends here.'
    await complete({ texts: [TEXT.repeat(5_000), short] })
    assert.ok(sent.at(-1)?.messages[1]?.content.endsWith(short))
  })

  it('uses the next model after a failure, and none below a useful amount', async () => {
    failing = new Set(['cheap'])
    assert.equal((await complete())?.answer, 'answer of second')
    failing = new Set(['cheap', 'second'])
    assert.equal(await complete(), null)
    sent.length = 0
    assert.equal(await complete({ mostMicros: 100n }), null)
    assert.deepEqual(sent, [])
  })

  it('splits the limit into tokens of prompt and answer', () => {
    const free = { rates: ratesOf(0n, 0n) } as Pick<Candidate, 'rates'>
    assert.deepEqual(limitsOf({ rates: CHEAP }, 4_000n), { answerTokens: 400, promptTokens: 2_000 })
    assert.deepEqual(limitsOf(free, 1n), { answerTokens: 150_000, promptTokens: 150_000 })
  })
})
