import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { fakeTools, NOW_MS } from '../onesearch/testing/fake-tools.ts'
import type { Complete } from '../shared/complete.ts'
import { judgeTurn } from './ask-model.ts'
import { NEW_CONVERSATION } from './conversation.ts'
import { readIntent } from './reading/intent-reading.ts'
import type { SuggestDeps } from './suggest.ts'
import { takeTurn, type Turn } from './turn.ts'

const SANCTIONS = '/x402/sanctions-check'
const PEP = '/x402/pep-check'
/** Two words of it have no place in any call, so the rules ask. */
const INTENT = 'screen Ivan Petrov for sanctions before the frobnicated gala'

/** A search that finds two screenings with these probabilities. */
function depsWith(first: number, second: number): SuggestDeps {
  const hits = [
    [SANCTIONS, first],
    [PEP, second],
  ] as const
  return {
    catalog: createCatalog(),
    validator: createValidator(),
    laneOf: () => ({ live: 'vendor', lanes: ['vendor'] }),
    discover: {
      nearest: () => [],
      search: (query) => ({
        query,
        next: '',
        hits: hits.map(([endpoint, probability]) => ({
          service: 'compliance',
          action: 'check',
          endpoint,
          title: '',
          price_cents: 2,
          required_params: [],
          summary: '',
          live: true,
          probability,
          confidence: 'high',
        })),
      }),
    },
  }
}

/** Plays responses of an OpenAI-compatible model, recorded as functions of the response. */
let play: (response: ServerResponse) => void = () => {}
let asked = 0
const server = createServer((_request, response) => {
  asked += 1
  play(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address() as AddressInfo
after(() => {
  server.closeAllConnections()
  server.close()
})

function says(content: string): void {
  play = (response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  }
}

const complete: Complete = async ({ system, prompt, signal }) => {
  try {
    const response = await fetch(`http://127.0.0.1:${address.port}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
      }),
      signal,
    })
    if (!response.ok) return null
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    return choices[0]?.message.content ?? null
  } catch {
    return null
  }
}

async function judge(
  deps: SuggestDeps,
  intent = INTENT,
  timeoutMs = 5_000,
): Promise<{ byRules: Turn; judged: Turn }> {
  const byRules = takeTurn(deps, NEW_CONVERSATION, intent, NOW_MS)
  const reading = readIntent(intent, NOW_MS)
  const judged = await judgeTurn(
    deps,
    complete,
    { reading, turn: byRules, state: NEW_CONVERSATION },
    fakeTools({}),
    timeoutMs,
  )
  return { byRules, judged }
}

test('completes the clear first choice of the rules by the model', async () => {
  says('Sure: {"choice": 1, "params": {"name": "Ivan Petrov"}}')
  const { byRules, judged } = await judge(depsWith(0.5, 0.1))
  assert.equal(byRules.calls.length, 0)
  assert.deepEqual(
    judged.calls.map(({ params }) => params),
    [{ endpoint: SANCTIONS, name: 'Ivan Petrov' }],
  )
  assert.equal(judged.state.last?.target.endpoint, SANCTIONS)
  assert.equal(judged.state.pending, null)
})

for (const [name, content] of [
  ['text without JSON', 'The first action fits best.'],
  ['broken JSON', '{"choice": 1, "params": {"name": "Ivan'],
  ['an unknown action', '{"choice": 9, "params": {"name": "Ivan Petrov"}}'],
  ['no action', '{"choice": null}'],
  ['an invented parameter', '{"choice": 1, "params": {"name": "Ivan Petrov", "link": "x"}}'],
  [
    'an invented value',
    '{"choice": 1, "params": {"name": "Ivan Petrov", "date_of_birth": "1970-01-01"}}',
  ],
  ['another name', '{"choice": 1, "params": {"name": "OFAC"}}'],
  ['a part of the name', '{"choice": 1, "params": {"name": "Petrov"}}'],
  ['no parameters', '{"choice": 1}'],
] as const)
  test(`falls back to the rules if the model answers with ${name}`, async () => {
    says(content)
    const { byRules, judged } = await judge(depsWith(0.5, 0.1))
    assert.deepEqual(judged, byRules)
  })

test('falls back to the rules if the model fails or is slow', async () => {
  play = (response) => {
    response.statusCode = 500
    response.end('{"error": {"message": "overloaded"}}')
  }
  const failed = await judge(depsWith(0.5, 0.1))
  assert.deepEqual(failed.judged, failed.byRules)
  play = () => {}
  const slow = await judge(depsWith(0.5, 0.1), INTENT, 100)
  assert.deepEqual(slow.judged, slow.byRules)
})

test('never calls another action than the first, but asks with the model’s choice first', async () => {
  says('{"choice": 2, "params": {"name": "Ivan Petrov"}}')
  const { judged } = await judge(depsWith(0.5, 0.3))
  assert.deepEqual(judged.calls, [])
  assert.equal(judged.alternatives[0]?.target.endpoint, PEP)
  assert.equal(judged.state.options?.[0]?.endpoint, PEP)
})

test('turns an unsure call that the model does not choose into a free question', async () => {
  says('{"choice": 2, "params": {"name": "Ivan Petrov"}}')
  const { byRules, judged } = await judge(depsWith(0.5, 0.3), 'screen Ivan Petrov for sanctions')
  assert.equal(byRules.calls.length, 1)
  assert.deepEqual(judged.calls, [])
  assert.deepEqual(
    judged.alternatives.map(({ target }) => target.endpoint),
    [PEP, SANCTIONS],
  )
})

test('does not ask the model about an intent that probably nothing matches', async () => {
  says('{"choice": 1, "params": {"name": "Ivan Petrov"}}')
  const before = asked
  const { byRules, judged } = await judge(depsWith(0.1, 0.05))
  assert.deepEqual(judged, byRules)
  assert.equal(asked, before)
})
