import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatOfResponses } from './chat-of-responses.ts'
import { callItem } from './response-of-completion.ts'

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
  const { tools, messages } = chatOfResponses(request)
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
  const call = (name: string) =>
    callItem(request, 'fc_1', { id: 'call_2', function: { name, arguments: '{}' } })
  const { namespace, name } = call('agents__close')
  assert.deepEqual([namespace, name], ['agents', 'close'])
  const other = call('agents__close_all')
  assert.deepEqual([other['namespace'], other['name']], [undefined, 'agents__close_all'])
})
