import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { AppError } from '../../errors/app-error.ts'
import { estimatePrompt, promptOf } from '../bill/prompt-tokens.ts'
import { readCompletionRequest } from './read-request.ts'
import { readExtraFields } from './request-fields.ts'

const GOOD = {
  model: 'a/b',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello.' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
  ],
  tools: [{ type: 'function', function: { name: 'f' } }],
}
const FIELDS = [
  'model',
  'messages',
  'tools',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'max_cost_cents',
  'confirm_loop',
  'modalities',
  'service_tier',
  'response_format',
  'plugins',
  '__proto__',
  'unheard_of',
]

/**
 * Reads the body and estimates its prompt: an error that names the field, or figures that can be
 * priced.
 */
function readOrRefuse(body: unknown): void {
  try {
    const request = readCompletionRequest(body)
    const tokens = estimatePrompt(promptOf(request))
    assert.ok(Number.isSafeInteger(tokens) && tokens > 0)
    assert.ok(request.maxTokens >= 1 && request.maxTokens <= 16_384)
  } catch (error) {
    assert.ok(error instanceof AppError && error.spec.status === 400, String(error))
    assert.doesNotMatch(
      error.fix,
      /address of an action/,
      'the router is no action and has no descriptor',
    )
  }
}

test('reads any body or rejects it with 400', () => {
  const change = fc.record({
    field: fc.constantFrom(...FIELDS),
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(
        null,
        [],
        {},
        [null],
        [{}],
        [
          {
            role: 'user',
            content: [
              null,
              5,
              { type: 'image_url' },
              { type: 'image_url', image_url: null },
              { type: 'file', file: {} },
            ],
            tool_calls: 7,
          },
        ],
        -1,
        1e308,
      ),
    ),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes) =>
      readOrRefuse(
        JSON.parse(
          JSON.stringify({
            ...GOOD,
            ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
          }),
        ),
      ),
    ),
    { numRuns: 300 },
  )
  fc.assert(fc.property(fc.jsonValue(), readOrRefuse), { numRuns: 100 })
})

test('rejects a body with too many levels', () => {
  for (const field of ['messages', 'tools', 'response_format', 'unheard_of']) {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
    assert.throws(
      () =>
        readCompletionRequest({
          ...GOOD,
          [field]:
            field === 'messages'
              ? [{ role: 'user', content: deep }]
              : field === 'tools'
                ? [{ type: 'function', function: deep }]
                : deep,
        }),
      { code: 'invalid_params' },
    )
  }
})

test('passes known fields on, except those that the gateway sets', () => {
  const { rest } = readCompletionRequest({
    ...GOOD,
    stream: true,
    stream_options: { include_usage: false },
    max_tokens: 5,
    max_completion_tokens: 6,
    max_cost_cents: 7,
    confirm_loop: 'token',
    n: 2,
    temperature: 0,
    top_k: 3,
    modalities: ['text'],
    store: false,
    plugins: null,
    unheard_of: null,
  })
  assert.deepEqual(rest, {
    messages: GOOD.messages,
    tools: GOOD.tools,
    n: 2,
    temperature: 0,
    top_k: 3,
    stream_options: { include_usage: false },
    modalities: ['text'],
    store: false,
  })
})

/** The fields of an error. */
function refusalOf(
  body: object,
  extra?: ReadonlySet<string>,
): { param: string | undefined; message: string; fix: string } {
  try {
    readCompletionRequest({ ...GOOD, ...body }, extra)
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_params')
    return error
  }
  return assert.fail(`${JSON.stringify(body)} was read`)
}

test('rejects an unknown field by its name, also inside other fields', () => {
  for (const [body, param] of [
    [{ speed: 'fast' }, 'speed'],
    [{ best_of: 20 }, 'best_of'],
    [{ max_output_tokens: 99_999 }, 'max_output_tokens'],
    [{ thinking_budget: 60_000 }, 'thinking_budget'],
    [{ mcp_servers: [] }, 'mcp_servers'],
    [{ code_execution: true }, 'code_execution'],
    [{ web_search: true }, 'web_search'],
    [{ num_search_results: 50 }, 'num_search_results'],
    [{ extra: { max_tokens: 9 } }, 'extra'],
    [{ extra_body: {} }, 'extra_body'],
    [{ plugins: [] }, 'plugins'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ modalities: 'image' }, 'modalities'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ store: true }, 'store'],
    [{ reasoning: { effort: 'high', extra: 1 } }, 'reasoning.extra'],
    [{ reasoning: 'high' }, 'reasoning'],
    [{ provider: { order: ['a'], options: {} } }, 'provider.options'],
    [{ usage: { include: true, more: 1 } }, 'usage.more'],
    [{ stream_options: { other: 1 } }, 'stream_options.other'],
    [{ prompt_cache_options: { size: 1 } }, 'prompt_cache_options.size'],
    [
      { tools: [{ type: 'function', function: { name: 'f' }, googleSearch: {} }] },
      'tools[0].googleSearch',
    ],
    [JSON.parse('{"__proto__":{"a":1}}') as object, '__proto__'],
  ] as const)
    assert.equal(
      refusalOf(Object.defineProperties({}, Object.getOwnPropertyDescriptors(body))).param ??
        'none',
      param,
      JSON.stringify(body),
    )
  assert.match(refusalOf({ temprature: 1 }).fix, /Did you mean "temperature"/)
})

test('reads the bodies of OpenAI and OpenRouter clients', () => {
  const openai = {
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    logprobs: true,
    top_logprobs: 2,
    metadata: { a: 'b' },
    parallel_tool_calls: true,
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
    prompt_cache_options: { ttl: '30m' },
    reasoning_effort: 'low',
    response_format: { type: 'json_schema', json_schema: {} },
    safety_identifier: 's',
    seed: 1,
    service_tier: 'auto',
    stop: ['x'],
    temperature: 1,
    tool_choice: 'auto',
    top_p: 1,
    user: 'me',
    verbosity: 'low',
    functions: [],
    function_call: 'auto',
    stream_options: { include_usage: true, include_obfuscation: false },
  }
  const openrouter = {
    provider: { order: ['a'], sort: 'price', data_collection: 'deny', zdr: true },
    reasoning: { effort: 'high', exclude: true, max_tokens: 100 },
    include_reasoning: true,
    usage: { include: true },
    transforms: ['middle-out'],
    cache_control: { type: 'ephemeral' },
    structured_outputs: true,
    top_k: 1,
    top_a: 0,
    min_p: 0,
    repetition_penalty: 1,
    session_id: 's',
  }
  const messages = [
    {
      role: 'assistant',
      content: 'x',
      reasoning: 'y',
      reasoning_details: [{ type: 'reasoning.text', text: 'y' }],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:,' } },
        { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
      ],
    },
  ]
  assert.deepEqual(readCompletionRequest({ ...GOOD, messages, ...openai, ...openrouter }).rest, {
    messages,
    tools: GOOD.tools,
    ...openai,
    ...openrouter,
  })
})

test('allows extra fields of the operator, but none that the gateway sets', () => {
  const read = readExtraFields(['min_tokens', 'chat_template_kwargs', 'plugins'])
  assert.ok('fields' in read)
  assert.deepEqual(
    readCompletionRequest({ ...GOOD, min_tokens: 5, plugins: [] }, read.fields).rest['min_tokens'],
    5,
  )
  assert.equal(refusalOf({ speed: 'fast' }, read.fields).param, 'speed')
  for (const name of [
    'model',
    'models',
    'messages',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'n',
    'stream',
    'stream_options',
    'provider',
    'user',
    'extra_body',
    'api_base',
    'fallbacks',
    '__proto__',
    'a b',
    '',
  ])
    assert.deepEqual(readExtraFields(['ok', name]), { refused: name })
})
