import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TARGET } from '../testing/converted.ts'
import { chatOfResponses } from './chat-of-responses.ts'
import { ResponseTools } from './response-tools.ts'

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
