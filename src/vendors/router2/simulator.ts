/**
 * An aggregator of language models: GET /models and POST /chat/completions, /messages and
 * /responses, as one body or as events, with a bearer key.
 */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import { readRatePerMillion } from '../../llm/tokens/token-price.ts'
import { shortHash } from '../../simulators/content.ts'
import {
  answerWords,
  lastQuestion,
  listOf,
  modelFaults,
  promptTokens,
  type ModelFault,
} from '../../simulators/model-content.ts'
import { sampleOf } from '../../simulators/schema-sample.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'
import { chatOfMessages, messageReply } from './simulated-messages.ts'
import { chatOfResponses, responseReply } from './simulated-responses.ts'
import { streamed, whole, type Said } from './simulated-completion.ts'

/**
 * Dollars per million tokens of prompt and completion. A model with null is listed without a price.
 */
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

const llm: SimulatedVendor = {
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
  texts: ({ body, path }) => [aimedAt(APIS.get(path)?.(fieldsOf(body)) ?? fieldsOf(body))],
  answer: (request) => {
    if (request.method === 'GET' && request.path === '/models')
      return { status: 200, json: { data: MODELS.map(([id, prices]) => listed(id, prices)) } }
    if (request.path === '/generation')
      return { status: 404, json: { message: 'The simulation records no generations.' } }
    const convert = request.method === 'POST' ? APIS.get(request.path) : undefined
    return convert === undefined
      ? undefined
      : complete(request.path, convert(fieldsOf(request.body)))
  },
}

/** The question, unless its fault is for another model, as in "sim:503@openai/gpt-6-luna". */
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

/** The APIs, with the question of a body as a chat-completions body. */
const APIS: ReadonlyMap<string, (body: Fields) => Fields> = new Map([
  ['/chat/completions', (body: Fields) => body],
  ['/messages', chatOfMessages],
  ['/responses', chatOfResponses],
])

function complete(path: string, body: Fields): SimulatedReply {
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
  const isStream = body['stream'] === true
  if (path === '/messages') return messageReply(base, said, usage, { isStream, faults })
  if (path === '/responses') return responseReply(base, said, usage, { isStream, faults })
  return isStream ? streamed(base, said, usage, faults) : whole(base, said, usage, faults)
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

/** The function to call: the named or the first one, unless the last message is its answer. */
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

/** The language-model router calls the same aggregator under the label `llm`. */
export const simulators = { router2: llm, llm }
