import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { readCompletionRequest } from '../ask/read-request.ts'
import { readMessagesRequest } from './messages/read-messages-request.ts'
import { readResponsesRequest } from './responses/read-responses-request.ts'

const NONE: ReadonlySet<string> = new Set()
const chat = (fields: object) =>
  readCompletionRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...fields })
const messages = (fields: object) =>
  readMessagesRequest(
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], ...fields },
    {},
    NONE,
  )
const responses = (fields: object) =>
  readResponsesRequest({ model: 'm', input: 'x', ...fields }, NONE)

const saying = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
const turn = { role: 'user', content: 'x' }

function refusedField(read: () => unknown): string | undefined {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'invalid_params')
    return error.param
  }
  return undefined
}

/** The values of the fields `type` of the members of a union in a client's types. */
function typesIn(file: string, union: string): Map<string, readonly string[]> {
  const source = readFileSync(new URL(`../../../node_modules/${file}`, import.meta.url), 'utf8')
  const [, members = ''] = new RegExp(`^export type ${union} = (.*);$`, 'm').exec(source) ?? []
  const found = new Map<string, readonly string[]>()
  for (const member of members.split(' | ')) {
    const name = member.split('.').at(-1) ?? ''
    const declared = source.split(new RegExp(`^ *(?:export )?interface ${name} \\{$`, 'm'))[1] ?? ''
    const [, types = ''] = /^ +type\??: (.*);$/m.exec(declared.split(/^ {0,4}\}$/m)[0] ?? '') ?? []
    found.set(
      name,
      [...types.matchAll(/'([^']+)'/g)].map(([, type = '']) => type),
    )
  }
  return found
}

const OPENAI = 'openai/resources/responses/responses.d.ts'
const ANTHROPIC = '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts'

describe('tools of the upstream', () => {
  test('are refused in every place of Responses that can hold a tool', () => {
    const hosted = { type: 'web_search' }
    const inner = { type: 'namespace', name: 'n', tools: [{ type: 'code_interpreter' }] }
    const item = (fields: object) => ({ input: [fields, turn] })
    for (const [fields, param] of [
      [{ tools: [hosted] }, 'tools[0].type'],
      [{ tools: [inner] }, 'tools[0].tools[0].type'],
      [item({ type: 'additional_tools', tools: [hosted] }), 'input[0].tools[0].type'],
      [item({ type: 'additional_tools', tools: [inner] }), 'input[0].tools[0].tools[0].type'],
      [item({ type: 'additional_tools', tools: hosted }), 'input[0].tools'],
      [item({ type: 'tool_search_output', tools: [hosted] }), 'input[0].tools[0].type'],
      [item({ role: 'developer', content: 'x', tools: [hosted] }), 'input[0].tools[0].type'],
      [item({ type: 'future_call', tools: [hosted] }), 'input[0].tools[0].type'],
      [
        item({ type: 'future_call_output', output: [{ type: 'x', tools: [hosted] }] }),
        'input[0].output[0].tools[0].type',
      ],
      [item({ role: 'user', content: [{ tools: [{}] }] }), 'input[0].content[0].tools[0].type'],
      [{ tool_choice: hosted }, 'tool_choice.type'],
      [{ tool_choice: { type: 'allowed_tools', tools: [hosted] } }, 'tool_choice.tools[0].type'],
    ] as const)
      assert.equal(
        refusedField(() => responses(fields)),
        param,
        JSON.stringify(fields),
      )
  })

  test('are refused in every place of Messages that can hold a tool', () => {
    const hosted = { type: 'web_search_20250305', name: 'web_search' }
    const defined = { type: 'tool_definition', definition: hosted }
    const addition = { type: 'tool_addition', tool: defined }
    const path = 'messages[0].content[0]'
    for (const [fields, param] of [
      [{ tools: [hosted] }, 'tools[0].type'],
      [{ tools: [{ name: 'search' }] }, 'tools[0].type'],
      [{ tools: [{ type: 'bash_code_execution_20250825' }] }, 'tools[0].type'],
      [saying(addition), `${path}.tool.definition.type`],
      [saying({ type: 'tool_addition', tool: hosted }), `${path}.tool.type`],
      [
        saying({ type: 'tool_addition', tool: { type: 'mcp_toolset_reference' } }),
        `${path}.tool.type`,
      ],
      [
        saying({ type: 'compaction', tool_changes: [addition] }),
        `${path}.tool_changes[0].tool.definition.type`,
      ],
      [
        saying({ type: 'tool_result', content: [addition] }),
        `${path}.content[0].tool.definition.type`,
      ],
      [saying({ type: 'future_result', tools: [hosted] }), `${path}.tools[0].type`],
      [{ system: [{ type: 'text', text: 'x', tools: [hosted] }] }, 'system[0].tools[0].type'],
      [{ messages: [{ ...turn, tools: [hosted] }] }, 'messages[0].tools[0].type'],
      [{ context_management: { edits: [{ type: 'summarize_2027' }] } }, 'context_management'],
    ] as const)
      assert.equal(
        refusedField(() => messages(fields)),
        param,
        JSON.stringify(fields),
      )
  })

  test('are refused in every place of chat completions that can hold a tool', () => {
    const hosted = { type: 'web_search' }
    for (const [fields, param] of [
      [{ tools: [hosted] }, 'tools[0].type'],
      [{ tools: [{ type: 'builtin_function', function: { name: '$w' } }] }, 'tools[0].type'],
      [{ functions: [{ ...hosted, name: 'x' }] }, 'functions[0].type'],
      [{ messages: [{ ...turn, tools: [hosted] }] }, 'messages[0].tools[0].type'],
      [
        saying({ type: 'text', text: 'x', tools: [hosted] }),
        'messages[0].content[0].tools[0].type',
      ],
      [{ tool_choice: hosted }, 'tool_choice.type'],
      [
        { tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [hosted] } } },
        'tool_choice.allowed_tools.tools[0].type',
      ],
    ] as const)
      assert.equal(
        refusedField(() => chat(fields)),
        param,
        JSON.stringify(fields),
      )
  })

  test('are refused for each type that the official clients know', () => {
    const openai = [...typesIn(OPENAI, 'Tool').values()].flat()
    const anthropic = [...typesIn(ANTHROPIC, 'BetaToolUnion').values()].flat()
    assert.ok(openai.includes('web_search') && anthropic.includes('advisor_20260301'))
    const allowed = (types: readonly string[], read: (type: string) => unknown): string[] =>
      types.filter((type) => refusedField(() => read(type)) === undefined)
    assert.deepEqual(
      allowed(openai, (type) =>
        responses({ input: [{ type: 'additional_tools', tools: [{ type }] }] }),
      ),
      ['function', 'local_shell', 'custom', 'namespace', 'apply_patch'],
    )
    const dated = (type: string): string => type.replace(/_\d{8}$/, '')
    assert.deepEqual(
      new Set(allowed(anthropic, (type) => messages({ tools: [{ type, name: 'x' }] })).map(dated)),
      new Set([
        'custom',
        'bash',
        'browser_toolset',
        'computer',
        'memory',
        'computer_toolset',
        'text_editor',
        'tool_search_tool_bm25',
        'tool_search_tool_regex',
      ]),
    )
  })
})

describe('tools of the caller', () => {
  test('are allowed in every place, and choose a model that can use tools', () => {
    const named = { type: 'function', name: 'f', parameters: {} }
    const custom = { name: 'f', input_schema: { type: 'object' } }
    const space = { type: 'namespace', name: 'n', tools: [named] }
    const search = { type: 'tool_search', execution: 'client', parameters: {} }
    for (const read of [
      () =>
        responses({ input: [{ type: 'additional_tools', tools: [named, space, search] }, turn] }),
      () => responses({ input: [{ type: 'tool_search_output', tools: [space] }, turn] }),
      () =>
        messages(
          saying({ type: 'tool_addition', tool: { type: 'tool_definition', definition: custom } }),
        ),
      () => chat({ tools: [{ type: 'function', function: { name: 'f' } }] }),
    ])
      assert.equal(read().needs.tools, true)
    for (const read of [
      () => responses({ tools: [named], tool_choice: { type: 'function', name: 'f' } }),
      () => responses({ tool_choice: { type: 'allowed_tools', tools: [{ type: 'function' }] } }),
      () => messages({ tools: [custom], tool_choice: { type: 'tool', name: 'f' } }),
      () => messages(saying({ type: 'tool_removal', tool: { type: 'tool_reference', name: 'f' } })),
      () => chat({ tool_choice: { type: 'function', function: { name: 'f' } } }),
      () => chat({ functions: [{ name: 'f', parameters: { properties: { tools: {} } } }] }),
    ])
      assert.equal(refusedField(read), undefined, String(read))
  })
})

describe('items of a conversation', () => {
  const startsWork = ['compaction_trigger', 'item_reference', 'mcp_approval_response', 'program']

  test('of Responses pass if they are records, and are refused if they could start work', () => {
    const types = [...typesIn(OPENAI, 'ResponseInputItem').values()].flat()
    assert.ok(types.length > 25 && startsWork.every((type) => types.includes(type)))
    for (const type of [...types, 'ghost_snapshot', 'agent_message'])
      assert.equal(
        refusedField(() => responses({ input: [{ type }, turn] })) !== undefined,
        startsWork.includes(type),
        type,
      )
    const { own } = responses({ input: [{ type: 'search_order' }] })
    assert.equal(own?.unknown?.param, 'input[0].type')
  })

  test('of Messages pass if they are records, and are refused if they could start work', () => {
    const types = [...typesIn(ANTHROPIC, 'BetaContentBlockParam').values()].flat()
    assert.ok(types.length > 20)
    for (const type of types)
      assert.equal(
        refusedField(() =>
          messages(saying({ type, tool: { type: 'tool_reference', name: 'f' }, tools: [] })),
        ) !== undefined,
        type === 'container_upload',
        type,
      )
    const { own } = messages(saying({ type: 'search_order' }))
    assert.equal(own?.unknown?.param, 'messages[0].content[0].type')
  })
})
