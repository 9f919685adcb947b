/** Reads the prices of a model in the operator's settings. */
import { quoted } from '../../catalog/validate/expectation.ts'
import { suggest } from '../../catalog/validate/suggest.ts'
import { StartError } from '../../errors/start-error.ts'
import { isFields, type Fields } from '../../lib/json-fields.ts'
import type { ModelRates, RateOverride } from '../../llm/lists/model-rates.ts'
import { readHour, TOKEN_PRICE_FIELDS } from '../../llm/lists/read-model-list.ts'
import {
  readPicoDollars,
  readRatePerMillion,
  type TokenRates,
} from '../../llm/tokens/token-price.ts'

const PER_MILLION: Readonly<Record<string, string>> = {
  prompt: 'prompt',
  completion: 'completion',
  ...TOKEN_PRICE_FIELDS,
}
/** In dollars: for a call, and for an image of a prompt. */
const EACH: readonly string[] = ['request', 'image']
const CONDITIONS = ['min_prompt_tokens', 'utc_start', 'utc_end'] as const
const OVERRIDE_FIELDS = [...Object.values(PER_MILLION), 'request', ...CONDITIONS]

export const RATE_FIELDS: readonly string[] = [...Object.values(PER_MILLION), ...EACH, 'overrides']

/**
 * `place` names the entry in errors. Null without any price. Throws StartError for a price that is
 * invalid, or that comes without those of prompt and completion.
 */
export function readModelRates(entry: Fields, place: string): ModelRates | null {
  if (!RATE_FIELDS.some((name) => entry[name] !== undefined)) return null
  const { prompt, completion, ...others } = readRates(entry, place)
  if (prompt === undefined || completion === undefined)
    throw new StartError(
      `${place}: the price needs "prompt" and "completion", in dollars per million tokens.`,
    )
  const base = { ...others, prompt, completion }
  return { ...base, overrides: readOverrides(entry['overrides'], base, place) }
}

/** Throws StartError with the first field that is not known. */
export function assertKnown(entry: Fields, known: readonly string[], place: string): void {
  const odd = Object.keys(entry).find((name) => !known.includes(name))
  if (odd === undefined) return
  const near = suggest(odd, known)
  throw new StartError(
    `${place}: unknown field "${odd}". ${near.length === 0 ? `Use ${known.map(quoted).join(', ')}` : `Did you mean ${near.map(quoted).join(', ')}`}${near.length === 0 ? '.' : '?'}`,
  )
}

function readRates(entry: Fields, place: string): Partial<ModelRates> {
  const rates: Record<string, bigint> = {}
  const read = (kind: string, name: string, parse: (value: unknown) => bigint | null): void => {
    const value = entry[name]
    const rate = parse(value)
    if (rate !== null) rates[kind] = rate
    else if (value !== undefined)
      throw new StartError(
        `${place}: "${name}" is invalid. Use dollars${EACH.includes(name) ? '' : ' per million tokens'}, such as "0.15".`,
      )
  }
  for (const [kind, name] of Object.entries(PER_MILLION)) read(kind, name, readRatePerMillion)
  for (const name of EACH) read(name, name, readPicoDollars)
  return rates
}

function readOverrides(value: unknown, base: TokenRates, place: string): RateOverride[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new StartError(`${place}: "overrides" must be a list.`)
  return value.map((entry: unknown, at) =>
    readOverride(isFields(entry) ? entry : {}, base, `${place}.overrides[${at}]`),
  )
}

function readOverride(entry: Fields, base: TokenRates, place: string): RateOverride {
  assertKnown(entry, OVERRIDE_FIELDS, place)
  const { min_prompt_tokens: tokens = 0, utc_start: from, utc_end: to } = entry
  const [start, end] = [readHour(from), readHour(to)]
  const isTimed = from !== undefined || to !== undefined
  if (CONDITIONS.every((name) => entry[name] === undefined) || !isCount(tokens))
    throw new StartError(
      `${place}: use "min_prompt_tokens" with a whole number, or "utc_start" and "utc_end".`,
    )
  if (isTimed && (start === null || end === null))
    throw new StartError(
      `${place}: "utc_start" and "utc_end" must be times in UTC, such as "0830" and "1630".`,
    )
  return {
    minPromptTokens: tokens,
    hours: start === null || end === null ? null : { start, end },
    rates: { ...base, ...readRates(entry, place) },
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
