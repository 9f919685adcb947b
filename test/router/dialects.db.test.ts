/** Codex and Claude Code on upstreams of all dialects, each of which rejects what the real one rejects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsOf, listedFields, type Fields } from '../../src/lib/json-fields.ts'
import { DIALECTS } from '../../src/llm/wires/dialects/dialect.ts'
import { eventsIn } from '../../src/llm/wires/testing/converted.ts'
import { openRouterBed, upstreamAt } from '../harness/beds/router.ts'
import {
  CLAUDE_CALLS,
  CLAUDE_HISTORY,
  claudeBody,
  CODEX_CALLS,
  CODEX_HISTORY,
  codexBody,
} from '../harness/clients/agent-bodies.ts'
import { SERVER_DIALECTS } from '../harness/vendors/dialect-rules.ts'
import {
  ANSWER,
  startDialectServer,
  THOUGHTS,
  type DialectServer,
} from '../harness/vendors/dialect-server.ts'

const INPUT = '*** Begin Patch\n'
const CALLED = {
  Bash: ['Bash'],
  exec_command: ['exec_command'],
  apply_patch: ['apply_patch'],
  // The names of Codex, which has a namespace, and of Claude Code.
  execute_document: [
    'execute_document_command_now',
    'mcp__plugin_documents_document_control_server__execute_document_command_now',
  ],
}
let ending = ''
const servers = await Promise.all(
  SERVER_DIALECTS.map((dialect) => startDialectServer(dialect, () => ({ ending, input: INPUT }))),
)
const bed = await openRouterBed({
  upstreams: (_url, dispatcher) =>
    servers.map(({ url }, place) => {
      const { name } = SERVER_DIALECTS[place] as (typeof SERVER_DIALECTS)[number]
      return upstreamAt(name, url, dispatcher, {
        isAggregator: false,
        dialect: DIALECTS[name],
      })
    }),
})

/** The events or the body of a response. Asserts that its charge is the price of the reported usage. */
async function ask(server: DialectServer, path: string, body: Fields): Promise<readonly Fields[]> {
  const before = server.refused.length
  const response = await bed.postTo(path, body)
  const text = await response.text()
  assert.equal(response.status, 200, server.refused.slice(before).join('\n') || text)
  const [posted] = (await bed.posted()).slice(-1)
  assert.equal((posted?.charged ?? -1n) - server.lastCharge, 0n)
  return body['stream'] === true ? eventsIn(text) : [JSON.parse(text) as Fields]
}

/** The parts of an answer: items of Responses or blocks of Messages. */
function partsIn(events: readonly Fields[]): readonly Fields[] {
  const [whole = {}] = events
  if (events.length === 1) return listedFields(whole['output'] ?? whole['content'])
  const items = events.filter(({ type }) => type === 'response.output_item.done')
  if (items.length > 0) return items.map(({ item }) => fieldsOf(item))
  return events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ content_block: block, index }) => {
      const deltas = events
        .filter((one) => one['index'] === index)
        .map((one) => fieldsOf(one['delta']))
      const joined = (name: string): string =>
        deltas
          .map((one) => one[name])
          .filter((words) => typeof words === 'string')
          .join('')
      const started = fieldsOf(block)
      if (started['type'] === 'tool_use')
        return { ...started, input: JSON.parse(joined('partial_json')) as unknown }
      return started['type'] === 'thinking'
        ? { ...started, thinking: joined('thinking'), signature: joined('signature') }
        : { ...started, text: joined('text') }
    })
}

const seesThoughts = ({ asked }: DialectServer): boolean =>
  asked.at(-1)?.text.includes(`":"${THOUGHTS}"`) === true

for (const [place, server] of servers.entries()) {
  const { name, thoughts } = SERVER_DIALECTS[place] as (typeof SERVER_DIALECTS)[number]
  describe(`an upstream of the dialect ${name}`, () => {
    for (const stream of [false, true]) {
      const form = stream ? 'streamed' : 'whole'

      for (const tool of CODEX_CALLS)
        test(`serves Codex with a call of ${tool} and its result, ${form}`, async () => {
          ending = tool
          const parts = partsIn(
            await ask(server, '/responses', { ...codexBody(server.model), stream }),
          )
          const call = parts.at(-1) ?? {}
          const isCustom = tool === 'apply_patch'
          assert.ok(CALLED[tool].includes(String(call['name'])), String(call['name']))
          assert.equal(call['type'], isCustom ? 'custom_tool_call' : 'function_call')
          assert.equal(
            call[isCustom ? 'input' : 'arguments'],
            isCustom ? INPUT : JSON.stringify({ input: INPUT }),
          )
          const output = {
            type: `${call['type']}_output`,
            call_id: call['call_id'],
            output: 'ok',
          }
          const later = codexBody(server.model, [...parts, output])
          const answer = partsIn(await ask(server, '/responses', { ...later, stream }))
          assert.equal(listedFields(answer.at(-1)?.['content'])[0]?.['text'], ANSWER)
          assert.equal(seesThoughts(server), thoughts !== null)
        })

      for (const tool of CLAUDE_CALLS)
        test(`serves Claude Code with a call of ${tool} and its result, ${form}`, async () => {
          ending = tool
          const content = partsIn(
            await ask(server, '/messages', { ...claudeBody(server.model), stream }),
          )
          const call = content.at(-1) ?? {}
          assert.ok(CALLED[tool].includes(String(call['name'])), String(call['name']))
          assert.deepEqual(call['input'], { input: INPUT })
          const result = { type: 'tool_result', tool_use_id: call['id'], content: 'ok' }
          const later = claudeBody(server.model, [
            { role: 'assistant', content },
            { role: 'user', content: [result, { type: 'text', text: 'Go on.' }] },
          ])
          const answer = partsIn(await ask(server, '/messages', { ...later, stream }))
          assert.equal(answer.at(-1)?.['text'], ANSWER)
          assert.equal(seesThoughts(server), thoughts !== null)
        })

      test(`serves histories of other models, with everything that clients store, ${form}`, async () => {
        const codex = { ...codexBody(server.model, CODEX_HISTORY), stream }
        const items = partsIn(await ask(server, '/responses', codex))
        assert.equal(listedFields(items.at(-1)?.['content'])[0]?.['text'], ANSWER)
        const claude = { ...claudeBody(server.model, CLAUDE_HISTORY), stream }
        assert.equal(partsIn(await ask(server, '/messages', claude)).at(-1)?.['text'], ANSWER)
        assert.equal(server.asked.at(-1)?.text.includes('Another model thought.'), false)
      })

      test(`serves chat completions unchanged, ${form}`, async () => {
        const messages = [{ role: 'user', content: 'Hello.' }]
        await ask(server, '/chat/completions', { model: server.model, messages, stream })
        assert.deepEqual(server.asked.at(-1)?.body['messages'], messages)
      })
    }

    test('serves Claude Code without thinking, and forced tools', async () => {
      ending = 'Bash'
      for (const more of [
        { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
        { thinking: { type: 'enabled', budget_tokens: 1_024 } },
        { tool_choice: { type: 'tool', name: 'Bash', disable_parallel_tool_use: true } },
        { tools: [], tool_choice: { type: 'auto' } },
      ])
        await ask(server, '/messages', { ...claudeBody(server.model), ...more })
    })
  })
}

test('items of unknown types are refused by an upstream that could start work for them', async () => {
  const key = { authorization: `Bearer ${bed.testKey}` }
  for (const [path, body, param] of [
    ['/responses', codexBody('core/mid', [{ type: 'search_order' }]), 'input[3].type'],
    [
      '/messages',
      claudeBody('core/mid', [{ role: 'user', content: [{ type: 'search_order' }] }]),
      'messages[1].content[0].type',
    ],
  ] as const) {
    const response = await bed.postTo(path, body, key)
    const { error } = (await response.json()) as { error: Fields }
    assert.deepEqual([response.status, error['param']], [400, param])
  }
})

test('the books balance after all of this', async () => assert.ok(await bed.isSound()))
