/**
 * The cost of direct calls to language models: estimated before the call, by the reported tokens
 * after it.
 */
import { AppError } from '../../errors/app-error.ts'
import { estimateTokens } from '../../llm/tokens/estimate-tokens.ts'
import { mostImageTokens } from '../../llm/tokens/image-tokens.ts'
import { dollars, formatDollars, maxMicros, minMicros, type Micros } from '../../lib/money.ts'
import { costOfParts } from '../../llm/tokens/token-price.ts'
import type { MakerModel, MakerRates } from './model-prices.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'

/** A short question with a short answer: the smallest useful call. */
const SHORT_EXCHANGE: MakerUsage = {
  fresh: 12,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  completion: 48,
}

/** The price of such a call with the cheapest of these models. */
export function cheapestExchange(models: ReadonlyMap<string, MakerModel>): Micros {
  const [first = DIRECT_CALL_CAP, ...rest] = [...models.values()].map((model) =>
    costOfUsage(model, SHORT_EXCHANGE),
  )
  return minMicros(first, ...rest)
}

/** The most that a direct call may cost. */
export const DIRECT_CALL_CAP = dollars('1')

/** Tokens as a provider reports them. Cached tokens are separate from the rest of the prompt. */
export type MakerUsage = {
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteLong: number
  readonly completion: number
}

export function costOfUsage(
  model: MakerModel,
  { fresh, cacheRead, cacheWrite, cacheWriteLong, completion }: MakerUsage,
): Micros {
  const rates = ratesFor(model, fresh + cacheRead + cacheWrite + cacheWriteLong)
  return costOfParts(
    [fresh, rates.prompt],
    [cacheRead, rates.cacheRead],
    [cacheWrite, rates.cacheWrite],
    [cacheWriteLong, rates.cacheWriteLong],
    [completion, rates.completion],
  )
}

/** The whole prompt at the highest rate, plus all tokens of the longest answer. */
export function worstCost(model: MakerModel, promptTokens: number, maxTokens: number): Micros {
  const rates = ratesFor(model, promptTokens)
  return costOfParts(
    [promptTokens, maxMicros(rates.prompt, rates.cacheWrite, rates.cacheWriteLong)],
    [maxTokens, rates.completion],
  )
}

/** Throws AppError model_not_found for a model without a price, which is not offered. */
export function findModelPrice<Price>(prices: ReadonlyMap<string, Price>, model: string): Price {
  // Providers add dates to model names. A dated name has the price of its model.
  const found =
    prices.get(model) ?? prices.get(model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, ''))
  if (found !== undefined) return found
  throw new AppError(
    'model_not_found',
    `"${model.slice(0, 100)}" is not a model with a known price.`,
    { param: 'model', fix: `Use one of ${[...prices.keys()].join(', ')}.` },
  )
}

/** Throws AppError invalid_params with the longest answer that stays under the cap. */
export function rejectAboveCap(
  model: MakerModel,
  promptTokens: number,
  maxTokens: number,
  answers: number,
  param: string,
): void {
  if (worstCost(model, promptTokens, maxTokens * answers) <= DIRECT_CALL_CAP) return
  const left = DIRECT_CALL_CAP - worstCost(model, promptTokens, 0)
  const fits =
    left <= 0n
      ? 0
      : Number((left * 1_000_000n) / (ratesFor(model, promptTokens).completion * BigInt(answers)))
  throw capError(param, fits, { largest_max_tokens: fits })
}

/**
 * The error of a call that could cost more than the cap. `fits` is the largest value of the
 * parameter that stays under it.
 */
export function capError(
  param: string,
  fits: number,
  details: Readonly<Record<string, number>>,
): AppError {
  return new AppError(
    'invalid_params',
    `This call could cost more than ${formatDollars(DIRECT_CALL_CAP)}, the most that a direct call may cost.`,
    {
      param,
      fix:
        fits > 0
          ? `Send "${param}" of at most ${fits}.`
          : 'Send a shorter prompt or choose a cheaper model.',
      details,
    },
  )
}

const TOKENS_PER_MEDIUM = 1_600
const BYTES_PER_MEDIUM_TOKEN = 8
const LONGEST_INLINE_TEXT = 512
// The size of a linked document is unknown.
const TOKENS_PER_REMOTE_DOCUMENT = 50_000
// The size of a linked image is unknown, too; this is the largest in the Messages form.
const TOKENS_PER_REMOTE_IMAGE = 4_800
const MEDIA_FIELDS = new Set(['data', 'url', 'file_data', 'image_url'])
const MEDIA_TYPES = new Set(['image', 'image_url', 'document', 'file', 'input_audio'])
/** JSON of the caller, where any name may precede a text. */
const OWN_JSON_FIELDS = new Set(['input', 'tools', 'response_format', 'output_config'])
// The longest field name of these wire formats. Longer names belong to the caller.
const LONGEST_FIELD_NAME = 32

/** Estimates the tokens of a model's input: text by its length, media by their size. */
export function estimateInput(value: unknown): number {
  const read = { texts: [] as string[], tokens: 0 }
  readInput(read, value, '', false)
  return read.tokens + estimateTokens(read.texts.join('\n'))
}

function readInput(
  read: { readonly texts: string[]; tokens: number },
  value: unknown,
  name: string,
  isMedium: boolean,
): void {
  if (typeof value === 'string') {
    if (
      isMedium &&
      MEDIA_FIELDS.has(name) &&
      (value.length > LONGEST_INLINE_TEXT || name !== 'data')
    )
      read.tokens += Math.max(TOKENS_PER_MEDIUM, Math.ceil(value.length / BYTES_PER_MEDIUM_TOKEN))
    else read.texts.push(value)
  } else if (typeof value !== 'object' || value === null) {
    read.tokens += 1
  } else if (OWN_JSON_FIELDS.has(name)) {
    read.texts.push(JSON.stringify(value))
  } else if (Array.isArray(value)) {
    for (const item of value) readInput(read, item, name, isMedium)
  } else {
    const type = textField(value, 'type')
    read.tokens += linkedMediaTokens(value)
    for (const [key, item] of Object.entries(value)) {
      read.tokens += 2
      if (key.length > LONGEST_FIELD_NAME) read.texts.push(key)
      // The data of a text source is text.
      readInput(read, item, key, type !== 'text' && (isMedium || MEDIA_TYPES.has(type)))
    }
  }
}

/** The tokens of the linked medium that a part refers to, in addition to its content. */
function linkedMediaTokens(part: object): number {
  const type = field(part, 'type')
  if (type === 'image_url') {
    const image = field(part, 'image_url')
    if (textField(image, 'url').startsWith('data:')) return 4
    return mostImageTokens(field(image, 'detail'))
  }
  if (field(field(part, 'source'), 'type') !== 'url') return 4
  return type === 'document' ? TOKENS_PER_REMOTE_DOCUMENT : TOKENS_PER_REMOTE_IMAGE
}

/** A count in a reply's usage; zero if it is not a count. */
export function readCount(usage: unknown, ...path: readonly string[]): number {
  let value: unknown = usage
  for (const name of path) value = field(value, name)
  return isCount(value) ? value : 0
}

/** Whether a reply's usage contains these counts. Otherwise the tokens are estimated. */
export function hasCounts(usage: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => isCount(field(usage, name)))
}

export function estimateUsage(promptTokens: number, answer: unknown): MakerUsage {
  return {
    fresh: promptTokens,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteLong: 0,
    completion: estimateInput(answer),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function ratesFor({ long, ...base }: MakerModel, promptTokens: number): MakerRates {
  return long !== undefined && promptTokens > long.above ? long.rates : base
}
