/** Requests as today's Codex and Claude Code send them: everything that upstreams have rejected. */
import type { Fields } from '../../../src/lib/json-fields.ts'

const DATA =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}
const LONG = 'mcp__codex_apps__codex_document_control_server'
const named = (name: string): Fields => ({
  type: 'function',
  name,
  description: `Runs ${name}.`,
  strict: false,
  parameters: PARAMETERS,
})

/** The ends of the names of the tools that the upstream calls. */
export const CODEX_CALLS = ['exec_command', 'apply_patch', 'execute_document'] as const
export const CLAUDE_CALLS = ['Bash', 'execute_document'] as const

/** A first turn of Codex. `more`: the items of later turns. */
export const codexBody = (model: string, more: readonly Fields[] = []): Fields => ({
  model,
  instructions: 'You are Codex, a coding agent.',
  input: [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: LONG,
          description: 'Documents.',
          tools: [named('execute_document_command_now')],
        },
      ],
    },
    {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: '<permissions>Ask first.</permissions>' }],
    },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '<environment_context/>' },
        { type: 'input_text', text: 'Fix the test.' },
      ],
    },
    ...more,
  ],
  tools: [
    named('exec_command'),
    named('view_image'),
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch" LF' },
    },
    {
      type: 'tool_search',
      execution: 'client',
      description: 'Finds tools.',
      parameters: PARAMETERS,
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'xhigh', summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0190d0c8-0000-7000-8000-000000000000',
  client_metadata: { 'x-codex-installation-id': 'i' },
  text: { verbosity: 'low' },
})

/** The items that Codex stores of later turns: other models, agents, images, interrupted calls. */
export const CODEX_HISTORY: readonly Fields[] = [
  {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Another model thought.' }],
    encrypted_content: 'gAAAAABo',
  },
  {
    type: 'function_call',
    name: 'view_image',
    call_id: 'call_view_image_0001',
    arguments: '{"input":"a.png"}',
  },
  {
    type: 'custom_tool_call',
    name: 'apply_patch',
    call_id: 'call_patch',
    input: '*** Begin Patch\n',
  },
  {
    type: 'agent_message',
    author: '/agents/reviewer',
    recipient: '/agents/main',
    content: [{ type: 'input_text', text: 'The review is done.' }],
  },
  {
    type: 'function_call_output',
    call_id: 'call_view_image_0001',
    output: [{ type: 'input_image', image_url: `data:image/png;base64,${DATA}` }],
  },
  { type: 'custom_tool_call_output', call_id: 'call_patch', output: 'Done.' },
  {
    type: 'tool_search_call',
    call_id: 'search',
    execution: 'client',
    status: 'completed',
    arguments: { input: 'x' },
  },
  {
    type: 'tool_search_output',
    call_id: 'search',
    execution: 'client',
    status: 'completed',
    tools: [{ type: 'namespace', name: 'mcp__chrome', tools: [named('js')] }],
  },
  { type: 'future_note', note: 1, text: 'An item of a later version.' },
  {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: 'The permissions changed.' }],
  },
  { type: 'function_call', name: 'exec_command', call_id: 'interrupted', arguments: '{}' },
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Go on.' }],
  },
]

const tool = (name: string, more: Fields = {}): Fields => ({
  name,
  description: `Runs ${name}.`,
  input_schema: PARAMETERS,
  ...more,
})
const cached = { cache_control: { type: 'ephemeral' } }

/** A first turn of Claude Code. `more`: the messages of later turns. */
export const claudeBody = (model: string, more: readonly Fields[] = []): Fields => ({
  model,
  max_tokens: 32_000,
  system: [
    { type: 'text', text: 'You are Claude Code.' },
    { type: 'text', text: 'Work in the repository.', ...cached },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
        { type: 'text', text: 'Fix the test.', ...cached },
      ],
    },
    ...more,
  ],
  tools: [
    tool('Bash'),
    tool('ToolSearch'),
    tool(`mcp__plugin_documents_document_control_server__execute_document_command_now`, {
      defer_loading: true,
      ...cached,
    }),
  ],
  metadata: { user_id: 'user_1' },
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
})

/** The messages that Claude Code stores of later turns: other models, searches, images, interrupted calls. */
export const CLAUDE_HISTORY: readonly Fields[] = [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Another model thought.', signature: 'ErUBCkYIBRgC' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'future_note', text: 'A block of a later version.' },
      { type: 'tool_use', id: 'toolu_01A', name: 'ToolSearch', input: { input: 'x' } },
      { type: 'tool_use', id: 'toolu_01B', name: 'Bash', input: { input: 'ls' } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01A',
        content: [{ type: 'tool_reference', tool_name: 'mcp__plugin_documents' }],
      },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01B',
        content: [
          { type: 'text', text: 'a.png' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
        ],
      },
      { type: 'text', text: '<system-reminder>Go on.</system-reminder>' },
    ],
  },
  { role: 'system', content: [{ type: 'text', text: 'The permissions changed.' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_01C', name: 'Bash', input: { input: 'sleep' } }],
  },
  { role: 'user', content: '[Request interrupted by user] Go on.' },
]
