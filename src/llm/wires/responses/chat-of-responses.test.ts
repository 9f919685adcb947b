/** The conversation of today's Codex, for upstreams that speak only chat completions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../../errors/app-error.ts'
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { FACTS, TARGET } from '../testing/converted.ts'
import { markThoughts } from '../thoughts.ts'
import { chatOfResponses } from './chat-of-responses.ts'
import { responsesFromChat } from './responses-format.ts'

const USER = { role: 'user', content: 'Go on.' }
const convert = (body: Fields, target = TARGET) => chatOfResponses({ model: 'm', ...body }, target)
const messagesOf = (...input: readonly Fields[]) => listedFields(convert({ input })['messages'])
const named = (name: string): Fields => ({ type: 'function', name, parameters: { type: 'object' } })
const call = (id: string, name = 'read'): Fields => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: '{}',
})
const output = (id: string, value: unknown): Fields => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
})
const asked = (id: string, name = 'read') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})
const answer = (...calls: readonly Fields[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const IMAGE = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
const CHAT_IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('the conversation of Responses', () => {
  test('has calls of all tools as calls of functions with their results', () => {
    const action = { type: 'exec', command: ['ls'] }
    assert.deepEqual(
      messagesOf(
        { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'a', output: 'Done.' },
        { type: 'local_shell_call', call_id: 'b', action },
        { type: 'local_shell_call_output', id: 'b', output: 'file' },
        { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'q' } },
        { type: 'tool_search_output', call_id: 'c', tools: [named('found')] },
        { type: 'tool_search_call', call_id: null, execution: 'server', arguments: {} },
        { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] },
      ),
      [
        answer({
          id: 'a',
          type: 'function',
          function: { name: 'apply_patch', arguments: '{"input":"x"}' },
        }),
        result('a', 'Done.'),
        answer({
          id: 'b',
          type: 'function',
          function: { name: 'local_shell', arguments: JSON.stringify(action) },
        }),
        result('b', 'file'),
        answer({
          id: 'c',
          type: 'function',
          function: { name: 'tool_search', arguments: '{"query":"q"}' },
        }),
        result('c', 'These tools are available now:\nfound'),
      ],
    )
  })

  test('has each result directly after its call', () => {
    const late = {
      type: 'agent_message',
      author: 'a',
      content: [{ type: 'input_text', text: 'hi' }],
    }
    assert.deepEqual(
      messagesOf(call('1'), call('2'), late, output('2', 'two'), output('1', 'one'), USER),
      [
        answer(asked('1'), asked('2')),
        result('1', 'one'),
        result('2', 'two'),
        { role: 'user', content: 'Message from a:\nhi' },
        USER,
      ],
    )
    assert.deepEqual(messagesOf(call('1'), output('1', 'a'), call('1'), output('1', 'b')), [
      answer(asked('1')),
      result('1', 'a'),
      answer(asked('1')),
      result('1', 'b'),
    ])
  })

  test('has a result for each call, and a call for each result', () => {
    assert.deepEqual(messagesOf(output('0', 'old'), call('1'), USER), [
      { role: 'user', content: 'The result of a tool: old' },
      answer(asked('1')),
      result('1', 'No result.'),
      USER,
    ])
  })

  test('has the arguments of calls as JSON', () => {
    const argumentsOf = (text: unknown) =>
      fieldsOf(
        listedFields(
          messagesOf({ type: 'function_call', call_id: '1', name: 'f', arguments: text })[0]?.[
            'tool_calls'
          ],
        )[0]?.['function'],
      )['arguments']
    assert.deepEqual(['{"a": 1}', '', '{"a": "cut', undefined, { a: 1 }].map(argumentsOf), [
      '{"a": 1}',
      '{}',
      '{"input":"{\\"a\\": \\"cut"}',
      '{}',
      '{"a":1}',
    ])
  })

  test('shows images in results of tools to the model', () => {
    assert.deepEqual(
      messagesOf(call('1'), call('2'), output('1', [IMAGE]), output('2', [{ text: 'b' }, IMAGE])),
      [
        answer(asked('1'), asked('2')),
        result('1', 'The result follows in the next message.'),
        result('2', 'b'),
        { role: 'user', content: [CHAT_IMAGE, CHAT_IMAGE] },
      ],
    )
  })

  test('keeps the words of unknown items and drops encrypted ones', () => {
    assert.deepEqual(
      messagesOf(
        {
          type: 'web_search_call',
          status: 'completed',
          action: { type: 'search', query: 'ledger' },
        },
        { type: 'compaction', encrypted_content: 'gAAA' },
        { type: 'ghost_snapshot', ghost_commit: { id: 'x' } },
        { type: 'future_note', content: [{ type: 'note', text: 'words' }] },
        { type: 'agent_message', content: [{ type: 'encrypted_content', encrypted_content: 'x' }] },
        { role: 'user', content: [{ type: 'future_image' }, { type: 'input_text', text: 'a' }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        USER,
      ),
      [
        { role: 'user', content: '[web_search_call]\nledger' },
        { role: 'user', content: '[future_note]\nwords' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'No.' },
        USER,
      ],
    )
  })

  test('is refused for unknown content without words only where the user sends it now', () => {
    const odd = { role: 'user', content: [{ type: 'future_video', data: 'AAAA' }] }
    assert.throws(
      () => messagesOf({ role: 'assistant', content: 'x' }, odd),
      (error) => error instanceof AppError && error.param === 'input[1]',
    )
    assert.equal(messagesOf(odd, { role: 'assistant', content: 'x' }, USER).length, 2)
  })

  test('returns thoughts only to the model that made them', () => {
    const thought = (model: string, text: string): Fields => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text }],
      encrypted_content: model,
    })
    assert.deepEqual(
      messagesOf(
        thought(markThoughts('m'), 'mine'),
        call('1'),
        output('1', 'a'),
        thought(markThoughts('other'), 'foreign'),
        thought('gAAAA', 'encrypted'),
        call('2'),
        output('2', 'b'),
      ),
      [
        { ...answer(asked('1')), thoughts: 'mine' },
        result('1', 'a'),
        answer(asked('2')),
        result('2', 'b'),
      ],
    )
    const [made] = listedFields(
      JSON.parse(
        responsesFromChat({}).writeWhole(
          { choices: [{ message: { reasoning_content: 'mine' } }] },
          '',
          FACTS,
        ),
      ).output,
    )
    assert.deepEqual(messagesOf(made ?? {}, call('1'), output('1', 'a'))[0]?.['thoughts'], 'mine')
  })
})
