/** An aggregator's wire: GET /models and POST /chat/completions, whole or in events, a bearer key. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import { readRatePerMillion } from '../../llm/tokens/token-price.ts'
import { shortHash } from '../content.ts'
import {
  answerWords,
  lastQuestion,
  listOf,
  modelFaults,
  promptTokens,
  type ModelFault,
} from '../model-content.ts'
import { sampleOf } from '../schema-sample.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../vendor.ts'

/** Dollars a million tokens of prompt and completion; null: listed without a price. */
const MODELS: readonly (readonly [string, readonly [string, string] | null])[] = [
  ['openai/gpt-6-luna', ['0.10', '0.50']],
  ['anthropic/claude-haiku-5.5', ['0.10', '0.50']],
  ['deepseek/deepseek-v4.1-flash', ['0.15', '0.60']],
  ['openai/gpt-6.1-terra', ['1', '5']],
  ['google/gemini-3.8-flash', ['0.75', '3.75']],
  ['anthropic/claude-sonnet-5.5', ['2', '10']],
  ['anthropic/claude-opus-5.5', ['4', '20']],
  ['openai/gpt-6.1-sol', ['2', '10']],
  ['google/gemini-3.1-pro-preview', ['2', '12']],
  ['simulated/unpriced', null],
]
const CREATED_SECONDS = 1_790_000_000
const PICOS_PER_DOLLAR = 1e12
const TWENTY_MIB = 20 * 1024 * 1024

export const llm: SimulatedVendor = {
  credential: (request) => (request.path === '/models' ? 'none needed' : bearerCredential(request)),
  quotaStatus: 402,
  maxBodyBytes: TWENTY_MIB,
  failure: (status, reason) => ({
    status,
    json: {
      error: {
        code: status,
        message:
          reason === 'quota'
            ? 'Insufficient credits (simulated).'
            : `Simulated failure with status ${status}.`,
      },
    },
  }),
  texts: ({ body }) => [aimedAt(fieldsOf(body))],
  answer: (request) => {
    if (request.method === 'GET' && request.path === '/models')
      return { status: 200, json: { data: MODELS.map(([id, prices]) => listed(id, prices)) } }
    if (request.path === '/generation')
      return { status: 404, json: { message: 'The simulation records no generations.' } }
    return request.method === 'POST' && request.path === '/chat/completions'
      ? complete(request)
      : undefined
  },
}

/** The question, unless its fault is meant for another model: "sim:503@openai/gpt-6-luna". */
function aimedAt(body: Fields): string {
  return lastQuestion(listOf(body['messages'])).replaceAll(
    /\bsim:[a-z0-9-]+@(\S+)/g,
    (fault, model) => (model === body['model'] ? fault : ''),
  )
}

function listed(id: string, prices: readonly [string, string] | null) {
  return {
    id,
    name: `${id} (simulated)`,
    created: CREATED_SECONDS,
    context_length: 200_000,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
    ...(prices === null
      ? {}
      : { pricing: { prompt: perToken(prices[0]), completion: perToken(prices[1]) } }),
    supported_parameters: ['max_tokens', 'temperature', 'tools', 'response_format'],
  }
}

function perToken(dollarsPerMillion: string): string {
  return String(Number(readRatePerMillion(dollarsPerMillion)) / PICOS_PER_DOLLAR)
}

function complete(request: SimulatedRequest): SimulatedReply {
  const body = fieldsOf(request.body)
  const messages = listOf(body['messages'])
  const model = typeof body['model'] === 'string' ? body['model'] : ''
  const prices = MODELS.find(([id]) => id === model.replace(/:(nitro|floor|exacto)$/, ''))?.[1]
  if (prices === undefined || prices === null)
    return {
      status: 400,
      json: { error: { code: 400, message: `${model} is not a valid model ID` } },
    }
  if (messages.length === 0)
    return {
      status: 400,
      json: { error: { code: 400, message: 'Input required: specify "messages"' } },
    }
  const faults = modelFaults(aimedAt(body))
  const said = answerTo(body, messages)
  const base = {
    id: `gen-${shortHash(JSON.stringify(messages))}`,
    created: CREATED_SECONDS,
    model,
    provider: 'Simulated',
    simulated: true,
  }
  const usage = usageOf(
    faults,
    promptTokens(messages, body['tools']),
    said.pieces.length * said.count,
    prices,
  )
  return body['stream'] === true
    ? streamed(base, said, usage, faults)
    : whole(base, said, usage, faults)
}

/** `count`: how often it is said, each time as a choice of its own. */
type Said = {
  readonly pieces: readonly string[]
  readonly tool: string | null
  readonly finish: string
  readonly count: number
}

function answerTo(body: Fields, messages: readonly Fields[]): Said {
  const limit = typeof body['max_tokens'] === 'number' ? body['max_tokens'] : 4_096
  const tool = toolFor(body, messages)
  const format = fieldsOf(body['response_format'])
  const full =
    tool !== null
      ? jsonPieces(sampleOf(tool['parameters']))
      : format['type'] === 'json_object'
        ? jsonPieces({ simulated: true })
        : format['type'] === 'json_schema'
          ? jsonPieces(sampleOf(fieldsOf(format['json_schema'])['schema']))
          : answerWords(lastQuestion(messages))
  const pieces = full.slice(0, limit)
  return {
    pieces,
    tool: typeof tool?.['name'] === 'string' ? tool['name'] : null,
    finish: pieces.length < full.length ? 'length' : tool === null ? 'stop' : 'tool_calls',
    count: typeof body['n'] === 'number' ? body['n'] : 1,
  }
}

/** The function to call: the one named, or the first, unless its answer is what came last. */
function toolFor(body: Fields, messages: readonly Fields[]): Fields | null {
  const functions = listOf(body['tools'])
    .map((tool) => fieldsOf(tool['function']))
    .filter(({ name }) => name !== undefined)
  const choice = body['tool_choice']
  if (functions.length === 0 || choice === 'none' || messages.at(-1)?.['role'] === 'tool')
    return null
  const named = fieldsOf(fieldsOf(choice)['function'])['name']
  return functions.find(({ name }) => name === named) ?? functions[0] ?? null
}

function jsonPieces(value: unknown): string[] {
  return JSON.stringify(value).match(/.{1,4}/gs) ?? []
}

function usageOf(
  faults: readonly ModelFault[],
  prompt: number,
  completion: number,
  [perPrompt, perCompletion]: readonly [string, string],
): Fields | null {
  if (faults.some(({ name }) => name === 'nousage')) return null
  if (faults.some(({ name }) => name === 'wrongusage'))
    return {
      prompt_tokens: prompt,
      completion_tokens: 1_000_000_000,
      total_tokens: prompt + 1_000_000_000,
      cost: 100_000,
    }
  const picos =
    prompt * Number(readRatePerMillion(perPrompt)) +
    completion * Number(readRatePerMillion(perCompletion))
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    cost: picos / PICOS_PER_DOLLAR,
  }
}

function whole(
  base: Fields,
  { pieces, tool, finish, count }: Said,
  usage: Fields | null,
  faults: readonly ModelFault[],
): SimulatedReply {
  const text = pieces.join('')
  const message =
    tool === null
      ? { role: 'assistant', content: text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${shortHash(text)}`,
              type: 'function',
              function: { name: tool, arguments: text },
            },
          ],
        }
  if (faults.some(({ name }) => name === 'error'))
    return {
      status: 200,
      json: {
        ...base,
        object: 'chat.completion',
        error: { code: 502, message: 'Simulated failure of the provider.' },
        choices: [],
      },
    }
  const answer = JSON.stringify({
    ...base,
    object: 'chat.completion',
    choices: Array.from({ length: count }, (_, index) => ({
      index,
      message,
      finish_reason: finish,
    })),
    ...(usage === null ? {} : { usage }),
  })
  return { status: 200, contentType: 'application/json', pieces: [answer], ...cutOf(faults) }
}

function streamed(
  base: Fields,
  { pieces, tool, finish, count }: Said,
  usage: Fields | null,
  faults: readonly ModelFault[],
): SimulatedReply {
  const event = (choices: readonly unknown[], more: Fields = {}): string =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const delta = (content: Fields, reason: string | null = null): string =>
    Array.from({ length: count }, (_, index) =>
      event([{ index, delta: content, finish_reason: reason }]),
    ).join('')
  const spoken =
    tool === null
      ? [delta({ role: 'assistant', content: '' }), ...pieces.map((content) => delta({ content }))]
      : [
          delta({
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id: `call_${shortHash(pieces.join(''))}`,
                type: 'function',
                function: { name: tool, arguments: '' },
              },
            ],
          }),
          ...pieces.map((part) =>
            delta({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
          ),
        ]
  const breaks = faults.find((fault) => fault.name === 'error')
  const events =
    breaks !== undefined && 'at' in breaks
      ? [
          ...spoken.slice(0, breaks.at),
          event([{ index: 0, delta: { content: '' }, finish_reason: 'error' }], {
            error: {
              code: 502,
              message: 'Simulated failure of the provider.',
              metadata: { error_type: 'provider_unavailable' },
            },
          }),
        ]
      : [
          ...spoken,
          ...(faults.some(({ name }) => name === 'nofinish')
            ? []
            : [
                delta({ content: '' }, finish),
                ...(usage === null ? [] : [event([], { usage })]),
                'data: [DONE]\n\n',
              ]),
        ]
  const drip = faults.find((fault) => fault.name === 'drip')
  return {
    status: 200,
    contentType: 'text/event-stream',
    pieces: [': SIMULATED PROCESSING\n\n', ...events],
    ...(drip !== undefined && 'at' in drip ? { paceMs: drip.at } : {}),
    ...cutOf(faults),
  }
}

function cutOf(faults: readonly ModelFault[]): { cutAtByte?: number } {
  const die = faults.find((fault) => fault.name === 'die')
  return die !== undefined && 'at' in die ? { cutAtByte: die.at } : {}
}
