/** The conversation and the tools of today's Claude Code, for upstreams that speak only chat completions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../../errors/app-error.ts'
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { blocksOfStream, streamed, TARGET, whole } from '../testing/converted.ts'
import { markThoughts } from '../thoughts.ts'
import { chatOfMessages } from './chat-of-messages.ts'
import { messagesFromChat } from './messages-format.ts'

const SCHEMA = { type: 'object', properties: {} }
const convert = (body: Fields) => chatOfMessages({ model: 'm', messages: [], ...body }, TARGET)
const messagesOf = (...messages: readonly Fields[]) =>
  listedFields(convert({ messages })['messages'])
const user = (...content: readonly Fields[]): Fields => ({ role: 'user', content })
const assistant = (...content: readonly Fields[]): Fields => ({ role: 'assistant', content })
const use = (id: string, name = 'read'): Fields => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string, content: unknown): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const text = (words: string): Fields => ({ type: 'text', text: words })
const namesOf = (body: Fields) =>
  listedFields(convert(body)['tools']).map((tool) => fieldsOf(tool['function'])['name'])

describe('tools of Messages', () => {
  test('with long names are shortened, and return with their own names', () => {
    const name = `mcp__${'server_'.repeat(12)}__run`
    const request = {
      tools: [{ name, input_schema: SCHEMA }],
      messages: [assistant(use('1', name))],
    }
    const [short] = namesOf(request)
    assert.match(String(short), /^[A-Za-z_][\w-]{0,63}$/)
    const { messages } = convert(request)
    assert.equal(
      fieldsOf(listedFields(listedFields(messages)[0]?.['tool_calls'])[0]?.['function'])['name'],
      short,
    )
    const format = messagesFromChat(request)
    const made = { tool_calls: [{ index: 0, id: 'c', function: { name: short, arguments: '{}' } }] }
    assert.deepEqual(blocksOfStream(streamed(format, [made])), [['call', 'c', name, {}]])
    assert.equal(listedFields(whole(format, made)['content'])[0]?.['name'], name)
    assert.deepEqual(
      fieldsOf(convert({ ...request, tool_choice: { type: 'tool', name } })['tool_choice']),
      { type: 'function', function: { name: short } },
    )
  })

  test('are those of the whole conversation, without the search for tools', () => {
    const tool = (name: string): Fields => ({ name, input_schema: SCHEMA })
    const added = { type: 'tool_definition', definition: tool('added') }
    assert.deepEqual(
      namesOf({
        tools: [tool('one'), tool('two'), { type: 'tool_search_tool_regex_20251119', name: 's' }],
        messages: [
          user({ type: 'tool_addition', tool: added }),
          user({ type: 'tool_removal', tool: { type: 'tool_reference', name: 'two' } }),
        ],
      }),
      ['one', 'added'],
    )
    assert.throws(
      () => convert({ tools: [{ type: 'bash_20250124', name: 'bash' }] }),
      (error) => error instanceof AppError && error.param === 'tools[0]',
    )
  })
})

describe('the conversation of Messages', () => {
  test('names the tools that a search found', () => {
    assert.deepEqual(
      messagesOf(
        assistant(use('1', 'ToolSearch')),
        user(result('1', [{ type: 'tool_reference', tool_name: 'grep' }])),
      )[1],
      { role: 'tool', tool_call_id: '1', content: 'The tool "grep" is available.' },
    )
  })

  test('keeps the words of unknown blocks and drops those without', () => {
    assert.deepEqual(
      messagesOf(
        user(
          { type: 'search_result', source: 's', title: 'T', content: [text('found')] },
          { type: 'future_image', data: 'AAAA' },
        ),
        assistant(
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', content: [{ title: 'T', encrypted_content: 'x' }] },
          { type: 'compaction', content: 'before' },
        ),
        user(text('go')),
      ),
      [
        { role: 'user', content: 'T\nfound' },
        { role: 'assistant', content: 'Tbefore' },
        { role: 'user', content: 'go' },
      ],
    )
    assert.throws(
      () => messagesOf(assistant(text('a')), user({ type: 'future_image', data: 'AAAA' })),
      (error) => error instanceof AppError && error.param === 'messages[1]',
    )
  })

  test('has a result for each call, and a call for each result', () => {
    assert.deepEqual(
      messagesOf(user(result('0', 'old')), assistant(use('1')), user(text('go'))).map(
        ({ role, content }) => [role, content],
      ),
      [
        ['user', 'The result of a tool: old'],
        ['assistant', null],
        ['tool', 'No result.'],
        ['user', 'go'],
      ],
    )
  })

  test('returns thoughts only to the model that made them', () => {
    const thinking = (signature: string): Fields => ({
      type: 'thinking',
      thinking: signature.slice(0, 3),
      signature,
    })
    assert.deepEqual(
      messagesOf(
        assistant(thinking('ErUBCkYIBRgC'), thinking(markThoughts('m')), use('1')),
        user(result('1', 'a')),
        assistant(thinking(markThoughts('other')), thinking(''), text('b')),
      ).map(({ role, thoughts }) => [role, thoughts]),
      [
        ['assistant', markThoughts('m').slice(0, 3)],
        ['tool', undefined],
        ['assistant', undefined],
      ],
    )
    const delta = { reasoning_content: 'hm', content: 'x' }
    const [block] = listedFields(whole(messagesFromChat({}), delta)['content'])
    const signed = streamed(messagesFromChat({}), [delta])
      .map(({ delta: one }) => fieldsOf(one)['signature'])
      .find((one) => one !== undefined)
    assert.deepEqual([block?.['signature'], signed], [markThoughts('m'), markThoughts('m')])
  })

  test('asks for the effort of thinking that the caller wants', () => {
    for (const [body, effort] of [
      [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, 'off'],
      [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'high'],
      [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'low'],
      [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, 'high'],
      [{ thinking: { type: 'adaptive' } }, undefined],
      [{}, undefined],
    ] as const)
      assert.equal(convert(body)['reasoning_effort'], effort, JSON.stringify(body))
  })
})
