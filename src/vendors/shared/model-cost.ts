/** What direct calls of language models cost: guessed before the call, by the reported tokens after it. */
import { AppError } from '../../errors/app-error.ts'
import { estimateTokens } from '../../llm/tokens/estimate-tokens.ts'
import { mostImageTokens } from '../../llm/tokens/image-tokens.ts'
import { dollars, formatDollars, maxMicros, minMicros, type Micros } from '../../lib/money.ts'
import { costOfParts } from '../../llm/tokens/token-price.ts'
import type { MakerModel, MakerRates } from './model-prices.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'

/** A short question with a short answer: the least use of a model that is worth a call. */
const SHORT_EXCHANGE: MakerUsage = {
  fresh: 12,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  completion: 48,
}

/** What that costs with the cheapest of these models. */
export function leastExchange(models: ReadonlyMap<string, MakerModel>): Micros {
  const [first = DIRECT_CALL_CAP, ...rest] = [...models.values()].map((model) =>
    costOfUsage(model, SHORT_EXCHANGE),
  )
  return minMicros(first, ...rest)
}

/** The most that one direct call may cost. */
export const DIRECT_CALL_CAP = dollars('1')

/** Tokens as a maker reports them; cached ones beside the rest of the prompt, not within it. */
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

/** All of the prompt at its dearest, and every token that may be answered. */
export function worstCost(model: MakerModel, promptTokens: number, maxTokens: number): Micros {
  const rates = ratesFor(model, promptTokens)
  return costOfParts(
    [promptTokens, maxMicros(rates.prompt, rates.cacheWrite, rates.cacheWriteLong)],
    [maxTokens, rates.completion],
  )
}

/** Throws AppError model_not_found for a model without a price: what cannot be priced is not offered. */
export function pricedModel<Price>(prices: ReadonlyMap<string, Price>, model: string): Price {
  // Makers date their models; a dated name is priced as the model it is of.
  const found =
    prices.get(model) ?? prices.get(model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, ''))
  if (found !== undefined) return found
  throw new AppError(
    'model_not_found',
    `"${model.slice(0, 100)}" is not among the models whose price is known here.`,
    { param: 'model', fix: `Choose one of ${[...prices.keys()].join(', ')}.` },
  )
}

/** Throws AppError invalid_params with the largest answer that stays under the cap. */
export function refuseAboveCap(
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
  throw aboveCap(param, fits, { largest_max_tokens: fits })
}

/** Of a call that could cost more than the cap; `fits` is the largest value of the parameter that could not. */
export function aboveCap(
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
          : 'Send a shorter prompt, or choose a cheaper model.',
      details,
    },
  )
}

const TOKENS_PER_MEDIUM = 1_600
const BYTES_PER_MEDIUM_TOKEN = 8
const LONGEST_INLINE_TEXT = 512
// Of a document that lies elsewhere nothing is known.
const TOKENS_PER_REMOTE_DOCUMENT = 50_000
// Of an image that lies elsewhere neither; the largest in the Messages form.
const TOKENS_PER_REMOTE_IMAGE = 4_800
const MEDIA_FIELDS = new Set(['data', 'url', 'file_data', 'image_url'])
const MEDIA_TYPES = new Set(['image', 'image_url', 'document', 'file', 'input_audio'])
/** JSON of the caller's own, in which any name may stand before a text. */
const OWN_JSON_FIELDS = new Set(['input', 'tools', 'response_format', 'output_config'])
// The longest name of a field in these wires; longer ones are the caller's own.
const LONGEST_FIELD_NAME = 32

/** The tokens to hold for what a model is given to read: texts as texts, media by their size. */
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
    read.tokens += tokensElsewhere(value)
    for (const [key, item] of Object.entries(value)) {
      read.tokens += 2
      if (key.length > LONGEST_FIELD_NAME) read.texts.push(key)
      // The data of a source of text is text.
      readInput(read, item, key, type !== 'text' && (isMedium || MEDIA_TYPES.has(type)))
    }
  }
}

/** What a part stands for beside what is in it: the medium that its address leads to. */
function tokensElsewhere(part: object): number {
  const type = field(part, 'type')
  if (type === 'image_url') {
    const image = field(part, 'image_url')
    if (textField(image, 'url').startsWith('data:')) return 4
    return mostImageTokens(field(image, 'detail'))
  }
  if (field(field(part, 'source'), 'type') !== 'url') return 4
  return type === 'document' ? TOKENS_PER_REMOTE_DOCUMENT : TOKENS_PER_REMOTE_IMAGE
}

/** A count in a reply's usage; anything that is none counts as zero. */
export function countIn(usage: unknown, ...path: readonly string[]): number {
  let value: unknown = usage
  for (const name of path) value = field(value, name)
  return isCount(value) ? value : 0
}

/** Whether a reply's usage tells these counts. Where it does not, what was read and written is guessed. */
export function tells(usage: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => isCount(field(usage, name)))
}

export function guessedUsage(promptTokens: number, answer: unknown): MakerUsage {
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
