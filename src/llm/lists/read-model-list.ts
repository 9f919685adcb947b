/**
 * Reads an upstream's `GET /models`: the aggregator's format with prices, or the plain one without.
 */
import { readPicoDollars, type TokenRates } from '../tokens/token-price.ts'
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import type { ModelRates, RateOverride } from './model-rates.ts'
import type { Model } from './model.ts'

// Used in headers and URLs.
export const MODEL_ID = /^[\x21-\x7e]{1,200}$/

/** Null if the body is not a list of models. Entries that callers cannot use are skipped. */
export function readModelList(body: unknown): Model[] | null {
  const data = fieldsOf(body)['data']
  if (!Array.isArray(data)) return null
  return data.flatMap((entry) => readModel(fieldsOf(entry)))
}

/** The fields of an entry that are read. Others, such as long descriptions, are not stored. */
export function pickReadFields(body: unknown): { data: Fields[] } {
  const data = fieldsOf(body)['data']
  const names = [
    'id',
    'name',
    'created',
    'context_length',
    'max_model_len',
    'architecture',
    'pricing',
    'top_provider',
    'supported_parameters',
  ]
  return {
    data: (Array.isArray(data) ? data : []).map((entry) =>
      Object.fromEntries(Object.entries(fieldsOf(entry)).filter(([name]) => names.includes(name))),
    ),
  }
}

function readModel(entry: Fields): Model[] {
  const { id } = entry
  if (typeof id !== 'string' || !MODEL_ID.test(id)) return []
  const architecture = fieldsOf(entry['architecture'])
  const outputs = stringsOf(architecture['output_modalities'])
  if (outputs !== null && !(outputs.length === 1 && outputs[0] === 'text')) return []
  const pricing = entry['pricing']
  const rates = pricing === undefined || pricing === null ? null : readRates(fieldsOf(pricing))
  // The aggregator marks its own routers, whose price is unknown in advance, with a negative price.
  if (rates === 'dynamic') return []
  return [
    {
      id,
      name: typeof entry['name'] === 'string' ? entry['name'] : id,
      createdSeconds: wholeOf(entry['created']) ?? 0,
      contextLength: wholeOf(entry['context_length']) ?? wholeOf(entry['max_model_len']),
      maxCompletionTokens: wholeOf(fieldsOf(entry['top_provider'])['max_completion_tokens']),
      rates,
      inputModalities: stringsOf(architecture['input_modalities']) ?? ['text'],
      parameters: stringsOf(entry['supported_parameters']),
    },
  ]
}

function readRates(pricing: Fields): ModelRates | 'dynamic' | null {
  const isNegative = (name: string): boolean => Number(pricing[name]) < 0
  if (isNegative('prompt') || isNegative('completion')) return 'dynamic'
  const prompt = readPicoDollars(pricing['prompt'])
  const completion = readPicoDollars(pricing['completion'])
  if (prompt === null || completion === null) return null
  const rates = ratesFrom(pricing, { prompt, completion })
  const image = readPicoDollars(pricing['image'])
  const overrides = (Array.isArray(pricing['overrides']) ? pricing['overrides'] : []).flatMap(
    (one) => readOverride(fieldsOf(one), rates),
  )
  return { ...rates, ...(image === null || image === 0n ? {} : { image }), overrides }
}

/** The prices of tokens in addition to those of the prompt and the completion. */
export const TOKEN_PRICE_FIELDS = {
  cacheRead: 'input_cache_read',
  cacheWrite: 'input_cache_write',
  cacheWriteLong: 'input_cache_write_1h',
  reasoning: 'internal_reasoning',
  audio: 'audio',
} as const
const KINDS = { ...TOKEN_PRICE_FIELDS, request: 'request' } as const

/** A kind of token with the price 0 has no price of its own if the prompt has one. */
function ratesFrom(pricing: Fields, base: TokenRates): TokenRates {
  const kinds = Object.entries(KINDS).flatMap(([kind, name]) => {
    const rate = readPicoDollars(pricing[name])
    return rate === null || rate === 0n ? [] : [[kind, rate] as const]
  })
  return { ...base, ...Object.fromEntries(kinds) }
}

function readOverride(entry: Fields, base: TokenRates): RateOverride[] {
  const prompt = readPicoDollars(entry['prompt']) ?? base.prompt
  const completion = readPicoDollars(entry['completion']) ?? base.completion
  const [start, end] = [readHour(entry['utc_start']), readHour(entry['utc_end'])]
  return [
    {
      minPromptTokens: wholeOf(entry['min_prompt_tokens']) ?? 0,
      hours: start === null || end === null ? null : { start, end },
      rates: ratesFrom(entry, { ...base, prompt, completion }),
    },
  ]
}

/** A time of the day as a number, such as 830 for "0830"; null for another value. */
export function readHour(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value).padStart(4, '0') : value
  return typeof text === 'string' && /^([01]\d|2[0-3])[0-5]\d$/.test(text) ? Number(text) : null
}

function stringsOf(value: unknown): string[] | null {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : null
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
