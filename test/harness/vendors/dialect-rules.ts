/**
 * The rejections of upstreams of chat completions as data: for each dialect the rules that its servers are
 * known to have, with their words.
 */
import type { DialectName } from '../../../src/llm/wires/dialects/dialect.ts'
import { fieldsOf, isFields, listedFields, type Fields } from '../../../src/lib/json-fields.ts'

export type Refusal = { readonly status: number; readonly message: string }
/** The message of a rejection; null for a request that the rule accepts. */
type Rule = (body: Fields) => string | null
export type ServerDialect = {
  readonly name: DialectName
  readonly status: number
  readonly rules: readonly Rule[]
  /** The field of its own thoughts; null if it sends none. */
  readonly thoughts: 'reasoning' | 'reasoning_content' | null
}

/** The window of the models in `npm test`. */
export const WINDOW = 24_000
const CHARACTERS_PER_TOKEN = 4
export const tokensOf = (body: Fields): number =>
  Math.ceil(charactersIn(body['messages']) / CHARACTERS_PER_TOKEN)

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  return isFields(value) || Array.isArray(value)
    ? Object.values(value).reduce<number>((sum, one) => sum + charactersIn(one), 0)
    : 0
}

const messagesOf = (body: Fields): readonly Fields[] => listedFields(body['messages'])
const callsOf = (message: Fields): readonly Fields[] => listedFields(message['tool_calls'])
const partsOf = ({ content }: Fields): readonly Fields[] => listedFields(content)
const eachMessage =
  (check: (message: Fields, place: number, all: readonly Fields[]) => string | null): Rule =>
  (body) =>
    messagesOf(body)
      .map(check)
      .find((message) => message !== null) ?? null

const knowsFields =
  (words: (name: string) => string, ...names: readonly string[]): Rule =>
  (body) => {
    const known = [...COMMON, ...names]
    const odd = Object.keys(body).find((name) => !known.includes(name))
    return odd === undefined ? null : words(odd)
  }
const COMMON = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'stop',
  'response_format',
]

const functionTools: Rule = (body) => {
  for (const [place, { type, function: named, ...rest }] of listedFields(body['tools']).entries()) {
    if (type !== 'function') return `tools.${place}.type: Input should be 'function'`
    const { name, parameters } = fieldsOf(named)
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(String(name)))
      return `Invalid 'tools[${place}].function.name': string does not match pattern.`
    if (!isFields(parameters)) return `tools.${place}.function.parameters: Field required`
    const [odd] = Object.keys(rest)
    if (odd !== undefined) return `tools.${place}.${odd}: Extra inputs are not permitted`
  }
  const { type } = fieldsOf(body['tool_choice'])
  return type === undefined || type === 'function'
    ? null
    : `tool_choice.type: ${JSON.stringify(type)}`
}
/** Like `functionTools`, next to tools with free text. */
const openAiTools: Rule = (body) =>
  functionTools({
    ...body,
    tools: listedFields(body['tools']).filter(({ type }) => type !== 'custom'),
  })
const choiceNeedsTools: Rule = ({ tools, tool_choice: choice }) =>
  choice === undefined || listedFields(tools).length > 0
    ? null
    : `'tool_choice' is only allowed when 'tools' are specified.`

const plainRoles = eachMessage(({ role }, place) =>
  ['system', 'user', 'assistant', 'tool'].includes(String(role))
    ? null
    : `messages[${place}].role: unknown variant \`${String(role)}\``,
)
const systemFirst = eachMessage(({ role }, place) =>
  role === 'system' && place > 0 ? 'System message must be at the beginning.' : null,
)
const plainContent = eachMessage(({ role, content, tool_calls: calls }, place) => {
  if (role === 'assistant' && calls !== undefined && content === null) return null
  if (typeof content === 'string' && (content !== '' || role === 'tool')) return null
  const parts = listedFields(content)
  const isKnown =
    (role === 'user' || role === 'system') &&
    parts.length > 0 &&
    parts.every(({ type }) => ['text', 'image_url', 'file'].includes(String(type)))
  return isKnown ? null : `messages[${place}].content: Input should be a valid string`
})
/** Templates of local models concatenate texts. */
const textAsText = eachMessage((message, place) => {
  const parts = partsOf(message)
  return parts.length > 0 && parts.every(({ type }) => type === 'text')
    ? `messages[${place}]: invalid type: sequence, expected a string`
    : null
})
const pairedCalls: Rule = (body) => {
  let open: unknown[] = []
  for (const [place, message] of messagesOf(body).entries()) {
    const { role, tool_call_id: id } = message
    if (role === 'tool') {
      if (!open.includes(id)) return `messages[${place}]: tool_call_id is not found`
      open = open.filter((one) => one !== id)
      continue
    }
    if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages (messages[${place}])`
    open = callsOf(message).map((call) => call['id'])
  }
  return open.length === 0 ? null : `'tool_calls' have no response messages: ${open.join(', ')}`
}
const functionCalls = eachMessage((message, place) =>
  callsOf(message).every(
    ({ type, function: named }) =>
      type === 'function' && typeof fieldsOf(named)['arguments'] === 'string',
  )
    ? null
    : `messages[${place}].tool_calls: Input should be 'function'`,
)
const hasWords = (value: unknown): boolean => typeof value === 'string' && /\S/.test(value)
const thoughtsInCalls = eachMessage((message, place) =>
  callsOf(message).length === 0 || hasWords(message['reasoning_content'])
    ? null
    : `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${place}`,
)
const knowsMessageFields = (...names: readonly string[]): Rule =>
  eachMessage((message, place) => {
    const known = ['role', 'content', 'tool_calls', 'tool_call_id', ...names]
    const odd = Object.keys(message).find((name) => !known.includes(name))
    return odd === undefined
      ? null
      : `body.messages.${place}.${odd}: Extra inputs are not permitted`
  })
const noUserAfterTool = eachMessage(({ role }, place, all) =>
  role === 'user' && all[place - 1]?.['role'] === 'tool'
    ? `Unexpected role 'user' after role 'tool'`
    : null,
)
const shortIds = eachMessage((message) => {
  const id = [message['tool_call_id'], ...callsOf(message).map((call) => call['id'])].find(
    (one) => one !== undefined && !(typeof one === 'string' && /^[A-Za-z0-9]{9}$/.test(one)),
  )
  return id === undefined
    ? null
    : `Tool call id was ${JSON.stringify(id)} but must be a-z, A-Z, 0-9, with a length of 9.`
})
const noImages = eachMessage((message, place) =>
  partsOf(message).some(({ type }) => type !== 'text')
    ? `messages[${place}]: unknown variant \`image_url\`, expected \`text\``
    : null,
)
const signedCalls = eachMessage((message) =>
  callsOf(message).every(
    ({ extra_content: extra }) =>
      typeof fieldsOf(fieldsOf(extra)['google'])['thought_signature'] === 'string',
  )
    ? null
    : 'Function call is missing a thought_signature in functionCall parts.',
)
function beyondWindow(body: Fields, window: number): string | null {
  const limit = Number(body['max_tokens'] ?? body['max_completion_tokens'])
  const prompt = tokensOf(body)
  return prompt + limit <= window
    ? null
    : `This model's maximum context length is ${window} tokens. However, you requested ${prompt + limit} tokens (${prompt} in the messages, ${limit} in the completion).`
}
const effortOf =
  (...efforts: readonly string[]): Rule =>
  ({ reasoning_effort: effort }) =>
    effort === undefined || efforts.some((one) => one === effort)
      ? null
      : `reasoning_effort: ${JSON.stringify(effort)} is not supported`

const unrecognized = (name: string): string => `Unrecognized request argument supplied: ${name}`
const forbidden = (name: string): string => `body.${name}: Extra inputs are not permitted`
const FUNCTIONS: readonly Rule[] = [
  functionTools,
  functionCalls,
  plainRoles,
  systemFirst,
  plainContent,
  textAsText,
  pairedCalls,
]
const LOCAL: readonly Rule[] = [...FUNCTIONS, effortOf('low', 'medium', 'high')]
const OPENAI: readonly Rule[] = [
  knowsFields(
    unrecognized,
    'max_completion_tokens',
    'reasoning_effort',
    'verbosity',
    'prompt_cache_key',
    'safety_identifier',
    'service_tier',
    'parallel_tool_calls',
    'user',
  ),
  openAiTools,
  choiceNeedsTools,
  pairedCalls,
  plainContent,
  knowsMessageFields(),
  effortOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
]
/** LiteLLM passes cache marks on to models that know them. */
const withoutMarks = (body: Fields): Fields => ({
  ...body,
  tools: listedFields(body['tools']).map(({ cache_control: _mark, ...tool }) => tool),
})
const PLAIN = { status: 400, thoughts: null } as const

export const SERVER_DIALECTS: readonly ServerDialect[] = [
  { name: 'openai', ...PLAIN, rules: OPENAI },
  { name: 'azure', ...PLAIN, rules: OPENAI },
  {
    name: 'anthropic',
    ...PLAIN,
    rules: [functionTools, functionCalls, pairedCalls, plainContent],
  },
  {
    name: 'mistral',
    ...PLAIN,
    status: 422,
    rules: [
      knowsFields(forbidden, 'max_tokens', 'parallel_tool_calls', 'reasoning_effort'),
      knowsMessageFields(),
      ...LOCAL,
      noUserAfterTool,
      shortIds,
      effortOf('high', 'none'),
    ],
  },
  {
    name: 'moonshot',
    status: 400,
    thoughts: 'reasoning_content',
    rules: [...LOCAL, thoughtsInCalls],
  },
  {
    name: 'deepseek',
    status: 400,
    thoughts: 'reasoning_content',
    rules: [...LOCAL, thoughtsInCalls, noImages],
  },
  {
    name: 'gemini',
    ...PLAIN,
    rules: [
      knowsFields(
        (name) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
        'max_tokens',
        'reasoning_effort',
      ),
      ...LOCAL,
      signedCalls,
    ],
  },
  { name: 'vllm', status: 400, thoughts: 'reasoning', rules: LOCAL },
  { name: 'sglang', status: 400, thoughts: 'reasoning_content', rules: LOCAL },
  {
    name: 'ollama',
    ...PLAIN,
    rules: [
      ...FUNCTIONS,
      ({ reasoning_effort: effort }) =>
        effort === undefined || effort === 'none' ? null : `"model" does not support thinking`,
    ],
  },
  {
    name: 'litellm',
    status: 400,
    thoughts: 'reasoning_content',
    rules: LOCAL.filter((rule) => rule !== textAsText).map(
      (rule) => (body) => rule(withoutMarks(body)),
    ),
  },
]

/** The rejection of a request by a server of this dialect; null if it accepts the request. */
export function refusalOf(
  { rules, status }: ServerDialect,
  body: Fields,
  window = WINDOW,
): Refusal | null {
  const found = rules.map((rule) => rule(body)).find((one) => one !== null)
  const message = found ?? beyondWindow(body, window)
  return message === null ? null : { status, message }
}
