/** The conversation and the tools of today's Codex, for upstreams that speak only chat completions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { AppError } from '../../../errors/app-error.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import {
  FACTS,
  itemsOfStream,
  streamed,
  TARGET,
  whole as wholeAnswer,
} from '../testing/converted.ts'
import { markThoughts } from '../thoughts.ts'
import { chatOfResponses } from './chat-of-responses.ts'
import { responsesFromChat } from './responses-format.ts'

const USER = { role: 'user', content: 'Go on.' }
const convert = (body: Fields, target = TARGET) => chatOfResponses({ model: 'm', ...body }, target)
const messagesOf = (...input: readonly Fields[]) => listedFields(convert({ input })['messages'])
const namesOf = (body: Fields) =>
  listedFields(convert(body)['tools']).map(({ type, function: named }) => [
    type,
    fieldsOf(named)['name'],
  ])
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

describe('tools of Responses', () => {
  test('are collected from every place of the request, each once', () => {
    const space = { type: 'namespace', name: 'fs', tools: [named('read')] }
    assert.deepEqual(
      namesOf({
        tools: [named('one'), space],
        input: [
          { type: 'additional_tools', role: 'developer', tools: [named('two'), named('one')] },
          { type: 'tool_search_output', call_id: 'c', tools: [space, named('three')] },
          { type: 'agent_message', content: [], tools: [named('four')] },
          { type: 'mcp_list_tools', tools: [{ name: 'listed', input_schema: {} }] },
          USER,
        ],
      }).map(([, name]) => name),
      ['one', 'fs__read', 'two', 'three', 'four'],
    )
  })

  test('with free text or of the client become functions', () => {
    const { tools } = convert({
      input: 'x',
      tools: [
        {
          type: 'custom',
          name: 'apply_patch',
          description: 'Edits files.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
        },
        { type: 'tool_search', execution: 'client', description: 'Finds.', parameters: { a: 1 } },
        { type: 'local_shell' },
      ],
    })
    const [patch = {}, search = {}, shell = {}] = listedFields(tools).map((tool) =>
      fieldsOf(tool['function']),
    )
    assert.match(String(patch['description']), /^Edits files\.[^]*lark grammar:\nstart: "x"$/)
    assert.deepEqual(fieldsOf(patch['parameters'])['required'], ['input'])
    assert.deepEqual(search, { name: 'tool_search', description: 'Finds.', parameters: { a: 1 } })
    assert.equal(shell['name'], 'local_shell')
  })

  test('with free text stay as they are for an upstream that knows them', () => {
    const custom = { type: 'custom', name: 'patch', format: { type: 'text' } }
    const { tools, messages } = convert(
      {
        tools: [custom],
        input: [{ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' }],
      },
      { ...TARGET, dialect: DIALECTS.openai },
    )
    assert.deepEqual(tools, [
      { type: 'custom', custom: { name: 'patch', format: { type: 'text' } } },
    ])
    assert.deepEqual(listedFields(messages)[0]?.['tool_calls'], [
      { id: 'c', type: 'custom', custom: { name: 'patch', input: 'x' } },
    ])
  })

  test('get names that upstreams accept, and different ones stay different', () => {
    const long = 'x'.repeat(70)
    const tools = [`${long}1`, `${long}2`, 'получить', 'a.b', '1st'].map(named)
    const space = { type: 'namespace', name: long, tools: [named('run')] }
    const names = namesOf({ input: 'x', tools: [...tools, space] }).map(([, name]) => String(name))
    assert.equal(new Set(names).size, 6)
    for (const name of names) assert.match(name, /^[A-Za-z_][\w-]{0,63}$/)
  })

  test('are only those that tool_choice allows', () => {
    const body = { input: 'x', tools: [named('read'), named('write'), { type: 'local_shell' }] }
    const allow = (mode: string, ...tools: readonly Fields[]) =>
      convert({ ...body, tool_choice: { type: 'allowed_tools', mode, tools } })
    const { tools, tool_choice: choice } = allow('required', { type: 'function', name: 'read' })
    assert.deepEqual(
      [listedFields(tools).map((tool) => fieldsOf(tool['function'])['name']), choice],
      [['read'], 'required'],
    )
    const forced = convert({ ...body, tool_choice: { type: 'local_shell' } })
    assert.deepEqual(forced['tool_choice'], {
      type: 'function',
      function: { name: 'local_shell' },
    })
    assert.deepEqual(
      [convert({ input: 'x', tool_choice: 'auto', tools: [] })].map((one) => Object.keys(one)),
      [['messages']],
    )
  })
})

describe('calls of Responses', () => {
  const request = {
    tools: [
      { type: 'custom', name: 'apply_patch' },
      { type: 'tool_search', execution: 'client' },
      { type: 'local_shell' },
      { type: 'namespace', name: 'n'.repeat(60), tools: [named('read')] },
    ],
  }
  const format = responsesFromChat(request)
  const nameAt = (place: number): string =>
    String(
      fieldsOf(listedFields(convert({ input: 'x', ...request })['tools'])[place]?.['function'])[
        'name'
      ],
    )
  const answered = (name: string, text: string) => {
    const made = { index: 0, id: 'c', function: { name, arguments: text } }
    const { output: items } = wholeAnswer(format, { tool_calls: [made] })
    return { item: listedFields(items)[0], events: streamed(format, [{ tool_calls: [made] }]) }
  }

  test('return to the client as free text, streamed and whole', () => {
    for (const [text, input] of [
      ['{"input":"*** Begin\\n"}', '*** Begin\n'],
      ['{"patch":"*** Begin"}', '*** Begin'],
      ['*** Begin', '*** Begin'],
    ] as const) {
      const { item, events } = answered('apply_patch', text)
      assert.deepEqual([item?.['type'], item?.['input']], ['custom_tool_call', input])
      if (text.startsWith('{'))
        assert.deepEqual(itemsOfStream(events), [['call', 'c', 'apply_patch', input]])
    }
  })

  test('return with the namespace and the long name of the client', () => {
    const { item, events } = answered(nameAt(3), '{"a":1}')
    assert.deepEqual([item?.['namespace'], item?.['name']], ['n'.repeat(60), 'read'])
    assert.deepEqual(itemsOfStream(events), [['call', 'c', 'read', { a: 1 }]])
  })

  test('return as items of the tools that the client runs', () => {
    const search = answered('tool_search', '{"query":"maps"}')
    assert.deepEqual(search.item, {
      type: 'tool_search_call',
      id: 'fc_x_0',
      status: 'completed',
      call_id: 'c',
      execution: 'client',
      arguments: { query: 'maps' },
    })
    assert.deepEqual(
      search.events.find(({ type }) => type === 'response.output_item.done')?.['item'],
      search.item,
    )
    const shell = answered('local_shell', '{"command":["ls"]}').item
    assert.deepEqual(shell?.['action'], { type: 'exec', env: {}, command: ['ls'] })
  })

  test('of the history become calls of functions with their results', () => {
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
})

describe('the conversation of Responses', () => {
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
