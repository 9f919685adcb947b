/** Reads the usage that an upstream reports. */
import { readPicoDollars, toMicrosRoundedUp, type TokenUsage } from '../tokens/token-price.ts'
import type { Micros } from '../../lib/money.ts'
import { fieldsOf, isFields, listedFields, type Fields } from '../../lib/json-fields.ts'

export type ReportedUsage = { readonly usage: TokenUsage; readonly cost: Micros | null }

/**
 * The names of each count in the usage of upstreams. A report may have several names of one count,
 * zeros among them, so the highest applies and none are added.
 */
const NAMES = {
  prompt: ['prompt_tokens', 'input_tokens'],
  completion: ['completion_tokens', 'output_tokens'],
  cacheRead: [
    'cached_tokens',
    'cache_read_tokens',
    'cache_read_input_tokens',
    'prompt_cache_hit_tokens',
    'num_cached_tokens',
  ],
  cacheWrite: [
    'cache_write_tokens',
    'cache_write_input_tokens',
    'cache_creation_tokens',
    'cache_creation_input_tokens',
  ],
  cacheWriteShort: ['ephemeral_5m_input_tokens'],
  cacheWriteLong: ['ephemeral_1h_input_tokens'],
  reasoning: ['reasoning_tokens', 'thinking_tokens'],
  audio: ['audio_tokens'],
} as const

/** The objects in a usage that detail the tokens of the prompt and of the completion. */
const OF_PROMPT = [
  'prompt_tokens_details',
  'input_tokens_details',
  'cache_creation',
  'cache_creation_token_details',
] as const
const OF_COMPLETION = ['completion_tokens_details', 'output_tokens_details'] as const

type Count = keyof typeof NAMES
type Counts = Readonly<Record<Count, number | null>>
const NONE: Counts = {
  prompt: null,
  completion: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWriteShort: null,
  cacheWriteLong: null,
  reasoning: null,
  audio: null,
}
const COUNT_OF: ReadonlyMap<string, Count> = new Map(
  (Object.keys(NAMES) as Count[]).flatMap((count) => NAMES[count].map((name) => [name, count])),
)

/** The counts of a usage, before its prompt is known to include the cache or not. */
export function readCounts(usage: Fields) {
  const own = highestIn([usage])
  const ofPrompt = highestIn(detailsIn(usage, OF_PROMPT))
  const ofCompletion = highestIn(detailsIn(usage, OF_COMPLETION))
  const cacheWriteLong = ofPrompt.cacheWriteLong ?? 0
  const inParts = (ofPrompt.cacheWriteShort ?? 0) + cacheWriteLong
  const written = Math.max(own.cacheWrite ?? 0, ofPrompt.cacheWrite ?? 0, inParts)
  return {
    prompt: own.prompt,
    completion: own.completion,
    cacheRead: Math.max(own.cacheRead ?? 0, ofPrompt.cacheRead ?? 0),
    cacheWrite: written - cacheWriteLong,
    cacheWriteLong,
    audioIn: ofPrompt.audio ?? 0,
    reasoning: Math.max(own.reasoning ?? 0, ofCompletion.reasoning ?? 0),
    audioOut: ofCompletion.audio ?? 0,
  }
}

/** The details of a usage, and those one level inside them. */
function detailsIn(usage: Fields, names: readonly string[]): readonly Fields[] {
  const found: Fields[] = []
  for (const name of names) {
    const details = usage[name]
    if (!isFields(details)) continue
    found.push(details)
    for (const inner of names) if (isFields(details[inner])) found.push(details[inner])
  }
  return found
}

/** Reads each name once, because a router reads the usage of every answer. */
function highestIn(places: readonly Fields[]): Counts {
  if (places.length === 0) return NONE
  const most: Record<Count, number | null> = { ...NONE }
  for (const place of places)
    for (const name of Object.keys(place)) {
      const count = COUNT_OF.get(name)
      const value = count === undefined ? null : countOf(place[name])
      if (count !== undefined && value !== null && value >= (most[count] ?? 0)) most[count] = value
    }
  return most
}

/** Null without valid counts. */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isFields(value)) return null
  const { prompt, completion, reasoning: named, ...counts } = readCounts(value)
  if (prompt === null || completion === null) return null
  const cached = counts.cacheRead + counts.cacheWrite + counts.cacheWriteLong
  const unnamed = (countOf(value['total_tokens']) ?? 0) - prompt - completion
  const besides = excludesCache(value, { prompt, cached, unnamed }) ? cached : 0
  const separate = separateThoughts({ unnamed: unnamed - besides, named, cached })
  const usage: TokenUsage = {
    ...counts,
    prompt: prompt + besides,
    completion: completion + separate,
    reasoning: Math.max(named, separate),
  }
  return { usage, cost: readCost(value) }
}

/**
 * Whether the prompt is counted without its cached tokens, as in Messages: their sum is in the
 * total, they are more than the prompt, or all names are those of Messages.
 */
function excludesCache(
  usage: Fields,
  counts: { readonly prompt: number; readonly cached: number; readonly unnamed: number },
): boolean {
  const { prompt, cached, unnamed } = counts
  const isMessages =
    !countOf(usage['prompt_tokens']) &&
    (countOf(usage['cache_read_input_tokens']) ?? usage['cache_creation_input_tokens']) != null
  return cached > 0 && (cached > prompt || unnamed === cached || isMessages)
}

/**
 * The usage in a chat completion or in one of its events: next to the choices, or else in them, where
 * each counts the same prompt and its own completion. `before`: the usages of choices in earlier
 * events. Null without valid counts.
 */
export function usageIn(
  { usage, x_groq: groq, choices }: Fields,
  before: Map<unknown, Fields> = new Map(),
): Fields | null {
  const whole = firstUsage(usage, fieldsOf(groq)['usage'])
  if (whole !== null) return whole
  let isFound = false
  for (const [place, choice] of listedFields(choices).entries()) {
    const { delta, message, index = place } = choice
    const own = firstUsage(choice['usage'], fieldsOf(delta)['usage'], fieldsOf(message)['usage'])
    if (own === null) continue
    before.set(index, own)
    isFound = true
  }
  return isFound ? joined([...before.values()]) : null
}

function firstUsage(...places: readonly unknown[]): Fields | null {
  return places.find((place): place is Fields => isFields(place) && isCounted(place)) ?? null
}

/** Whether \`readUsage\` reads it. */
function isCounted(usage: Fields): boolean {
  const { prompt, completion } = highestIn([usage])
  return prompt !== null && completion !== null
}

function joined([first = {}, ...others]: readonly Fields[]): Fields {
  if (others.length === 0) return first
  const completion = [first, ...others].reduce(
    (sum, usage) => sum + (readUsage(usage)?.usage.completion ?? 0),
    0,
  )
  return { ...first, completion_tokens: completion, total_tokens: undefined }
}

/** The cost that an aggregator reports with the usage; null without one. */
export function readCost(usage: Fields): Micros | null {
  // With the operator's own key at the model vendor, the aggregator's cost is only its fee.
  const cost = usage['is_byok'] === true ? null : readPicoDollars(usage['cost'])
  return cost === null ? null : toMicrosRoundedUp(cost)
}

/**
 * Thinking tokens that the completion count does not include: some model vendors add them only to
 * the total, named or not. A total that exceeds the sum for another reason contains cached prompt
 * tokens.
 */
function separateThoughts({
  unnamed,
  named,
  cached,
}: {
  readonly unnamed: number
  readonly named: number
  readonly cached: number
}): number {
  const isThinking = unnamed > 0 && (named === unnamed || (named === 0 && cached === 0))
  return isThinking ? unnamed : 0
}

/** A whole number of tokens; null for any other value. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
