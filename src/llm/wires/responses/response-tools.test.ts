/** The tools of today's Codex and their calls, for upstreams that speak only chat completions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import { itemsOfStream, streamed, TARGET, whole as wholeAnswer } from '../testing/converted.ts'
import { chatOfResponses } from './chat-of-responses.ts'
import { ResponseTools } from './response-tools.ts'
import { responsesFromChat } from './responses-format.ts'

const USER = { role: 'user', content: 'Go on.' }
const convert = (body: Fields, target = TARGET) => chatOfResponses({ model: 'm', ...body }, target)
const namesOf = (body: Fields) =>
  listedFields(convert(body)['tools']).map(({ type, function: named }) => [
    type,
    fieldsOf(named)['name'],
  ])
const named = (name: string): Fields => ({ type: 'function', name, parameters: { type: 'object' } })

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
})

const request = {
  model: 'maker/small',
  input: [
    { type: 'message', role: 'user', content: 'Close the agent.' },
    {
      type: 'function_call',
      namespace: 'agents',
      name: 'close',
      call_id: 'call_1',
      arguments: '{"target":"a"}',
    },
    { type: 'function_call_output', call_id: 'call_1', output: 'closed' },
  ],
  tools: [
    {
      type: 'namespace',
      name: 'agents',
      description: 'Tools for agents.',
      tools: [{ type: 'function', name: 'close', parameters: { type: 'object' } }],
    },
    { type: 'function', name: 'agents__close_all', parameters: { type: 'object' } },
  ],
}

test('sends tools of a namespace with joined names, in the list and in earlier calls', () => {
  const { tools, messages } = chatOfResponses(request, TARGET)
  assert.deepEqual(tools, [
    { type: 'function', function: { name: 'agents__close', parameters: { type: 'object' } } },
    { type: 'function', function: { name: 'agents__close_all', parameters: { type: 'object' } } },
  ])
  assert.deepEqual((messages as unknown[])[1], {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'agents__close', arguments: '{"target":"a"}' },
      },
    ],
  })
})

test('returns calls with the namespace and the name that the client knows', () => {
  const tools = new ResponseTools(request)
  const call = (name: string) =>
    tools.itemOf({ kind: 'call', id: 'call_2', name, isCustom: false, text: '{}' }, '1')
  const { namespace, name } = call('agents__close')
  assert.deepEqual([namespace, name], ['agents', 'close'])
  const other = call('agents__close_all')
  assert.deepEqual([other['namespace'], other['name']], [undefined, 'agents__close_all'])
})
