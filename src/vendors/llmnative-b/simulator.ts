/** OpenAI's API: chat completions, embeddings and images, with a bearer key. */
import { imageModels, type ImageQuality, type ImageSize } from '../shared/model-prices.ts'
import { countTokensOf } from '../../llm/tokens/estimate-tokens.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { shortHash } from '../../simulators/content.ts'
import { answerWords, lastQuestion, listOf, promptTokens } from '../../simulators/model-content.ts'
import { routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

/** A transparent image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The image tokens of the provider's price list. */
function imageTokens(model: unknown, quality: unknown, size: unknown): number {
  const { tokens } = imageModels.get(String(model)) ?? {}
  return tokens?.[quality as ImageQuality]?.[size as ImageSize] ?? 0
}

const llmnativeB = routed({
  credential: bearerCredential,
  quotaStatus: 429,
  failure: (status, reason) => ({
    status,
    json: {
      error: {
        message: `Simulated failure with status ${status}.`,
        type: status === 429 ? 'tokens' : 'invalid_request_error',
        param: null,
        code:
          reason === 'quota'
            ? 'insufficient_quota'
            : reason === 'credentials'
              ? 'invalid_api_key'
              : 'simulated',
      },
    },
  }),
  routes: {
    'POST /chat/completions': chat,
    'POST /embeddings': embeddings,
    'POST /images/generations': images,
  },
})

function chat({ body }: SimulatedRequest): SimulatedReply {
  const { model, max_completion_tokens: limit, messages, n = 1, tools } = fieldsOf(body)
  const list = listOf(messages)
  if (typeof model !== 'string' || list.length === 0) return llmnativeB.failure(400, 'fault')
  const words = answerWords(lastQuestion(list))
  const kept = words.slice(0, typeof limit === 'number' ? limit : words.length)
  const choices = Array.from({ length: Number(n) }, (_, index) => ({
    index,
    message: { role: 'assistant', content: kept.join(''), refusal: null },
    finish_reason: kept.length < words.length ? 'length' : 'stop',
  }))
  const [prompt, completion] = [promptTokens(list, tools), kept.length * choices.length]
  return {
    status: 200,
    json: {
      id: `chatcmpl-${shortHash(JSON.stringify(list))}`,
      object: 'chat.completion',
      created: 1_790_000_000,
      model,
      choices,
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      simulated: true,
    },
  }
}

// The provider's own lengths. Columns of vectors have a fixed width.
const VECTOR_LENGTHS: ReadonlyMap<unknown, number> = new Map([
  ['text-embedding-3-small', 1_536],
  ['text-embedding-3-large', 3_072],
  ['text-embedding-ada-002', 1_536],
])
// Writing and reading a million numbers blocks other calls for a tenth of a second.
const MOST_NUMBERS = 1_000_000

function embeddings({ body }: SimulatedRequest): SimulatedReply {
  const { model, input, dimensions, encoding_format: encoding } = fieldsOf(body)
  const texts = textsOf(input)
  const whole = VECTOR_LENGTHS.get(model)
  if (texts.length === 0 || whole === undefined) return llmnativeB.failure(400, 'fault')
  if (dimensions !== undefined && model === 'text-embedding-ada-002')
    return rejection('dimensions', 'This model does not support specifying dimensions.')
  const length = typeof dimensions === 'number' ? dimensions : whole
  if (length > whole) return rejection('dimensions', `This model has at most ${whole} dimensions.`)
  if (texts.length * length > MOST_NUMBERS)
    return rejection('input', `The simulation returns at most ${MOST_NUMBERS} numbers.`)
  const tokens = numbersIn(input) || countTokensOf(texts)
  return {
    status: 200,
    json: {
      object: 'list',
      model,
      data: texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: encode(vectorOf(text, length), encoding),
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      simulated: true,
    },
  }
}

function rejection(param: string, message: string): SimulatedReply {
  return {
    status: 400,
    json: { error: { message, type: 'invalid_request_error', param, code: 'simulated' } },
  }
}

function encode(vector: number[], encoding: unknown): number[] | string {
  return encoding === 'base64'
    ? Buffer.from(new Float32Array(vector).buffer).toString('base64')
    : vector
}

/** One text or several. Tokens count as words. */
function textsOf(input: unknown): string[] {
  if (!Array.isArray(input)) return stringsOf(input)
  const lists = input.every((item) => typeof item === 'number') ? [input] : input
  return lists.map((item: unknown) => (Array.isArray(item) ? item.join(' ') : String(item)))
}

function numbersIn(input: unknown): number {
  return Array.isArray(input) ? input.flat().filter((item) => typeof item === 'number').length : 0
}

/** Numbers between -1 and 1 that the text determines, from a linear congruential generator. */
function vectorOf(text: string, length: number): number[] {
  let state = Number.parseInt(shortHash(text), 16)
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.round((state / 0xffff_ffff) * 2_000 - 1_000) / 1_000
  })
}

function images({ body }: SimulatedRequest): SimulatedReply {
  const { prompt, model, n = 1, quality = 'medium', size = '1024x1024' } = fieldsOf(body)
  if (typeof prompt !== 'string') return llmnativeB.failure(400, 'fault')
  const [input, output] = [countTokensOf([prompt]), Number(n) * imageTokens(model, quality, size)]
  return {
    status: 200,
    json: {
      created: 1_790_000_000,
      data: Array.from({ length: Number(n) }, () => ({ b64_json: PIXEL })),
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_tokens_details: { text_tokens: input, image_tokens: 0 },
      },
      simulated: true,
    },
  }
}

export const simulators = { 'llmnative-b': llmnativeB }
