/** Reads replies of SearXNG: the hits with their engines, and the engines that did not answer. */
import { AppError } from '../../errors/app-error.ts'
import { fieldsOf, isFields, listedFields } from '../../lib/json-fields.ts'
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts'
import type { Hit } from '../onesearch/search-request.ts'

export type EngineHit = Hit & {
  /** The engines that found the page. */
  readonly engines: readonly string[]
  /** Its places in their lists, from 1, in no certain order. */
  readonly positions: readonly number[]
}
export type EngineFailure = { readonly name: string; readonly reason: string }
export type EngineReply = {
  readonly hits: readonly EngineHit[]
  readonly failures: readonly EngineFailure[]
}

const MAX_HITS = 100
const MAX_ENGINES = 100
const MAX_NAME_CHARS = 60
const MAX_REASON_CHARS = 120
const MAX_SNIPPET_CHARS = 2_000

/** Bounded in size, so that replies can be cached. Null for anything but a reply, such as a login page. */
export function readEngineReply(body: unknown): EngineReply | null {
  if (!isFields(body) || !Array.isArray(body['results'])) return null
  return {
    hits: listedFields(body['results']).slice(0, MAX_HITS).map(toHit),
    failures: readFailures(body['unresponsive_engines']),
  }
}

export function unreadableReply(): AppError {
  return new AppError(
    'upstream_error',
    "The operator's search engine did not answer in JSON. Nothing was charged.",
    { fix: 'Try again later. The operator of this gateway sees the cause with ./tollgate doctor.' },
  )
}

function toHit(row: Readonly<Record<string, unknown>>): EngineHit {
  const engines = textsOf(row['engines'])
  const own = toText(row['engine'], MAX_NAME_CHARS)
  return {
    url: toText(row['url'], 2_048) ?? '',
    title: toText(row['title'], MAX_SNIPPET_CHARS),
    snippet: toText(row['content'], MAX_SNIPPET_CHARS),
    published: toText(row['publishedDate'], MAX_NAME_CHARS),
    engines: engines.length > 0 || own === null ? engines : [own],
    positions: Array.isArray(row['positions'])
      ? row['positions'].filter(
          (place): place is number => Number.isInteger(place) && Number(place) > 0,
        )
      : [],
  }
}

/** Pairs of a name and a reason; newer editions add a third value. */
function readFailures(value: unknown): readonly EngineFailure[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MAX_ENGINES).flatMap((one: unknown) => {
    const [name, reason] = Array.isArray(one) ? (one as readonly unknown[]) : [one]
    const known = toText(name, MAX_NAME_CHARS)
    return known === null
      ? []
      : [{ name: known, reason: toText(reason, MAX_REASON_CHARS) ?? 'no answer' }]
  })
}

/** The names of the enabled engines of a category in a reply to `/config`; null for another reply. */
export function readEngineNames(body: unknown, category: string): readonly string[] | null {
  const { engines } = fieldsOf(body)
  if (!Array.isArray(engines)) return null
  return listedFields(engines).flatMap((engine) => {
    const name = toText(engine['name'], MAX_NAME_CHARS)
    const isUsed = engine['enabled'] === true && textsOf(engine['categories']).includes(category)
    return name !== null && isUsed ? [name] : []
  })
}

/** SearXNG's own times of suspension, by its words for the cause. */
const SUSPENSIONS: readonly (readonly [RegExp, number])[] = [
  [/cloudflare/i, 15 * DAY_MS],
  [/recaptcha/i, 7 * DAY_MS],
  [/captcha|access denied|forbidden/i, DAY_MS],
  [/too many requests|rate.?limit/i, HOUR_MS],
]
const SHORT_MS = 30_000

/** How long until the first of these engines may answer again, in seconds. */
export function shortestSuspension(failures: readonly EngineFailure[]): number {
  const times = failures.map(
    ({ reason }) => SUSPENSIONS.find(([words]) => words.test(reason))?.[1] ?? SHORT_MS,
  )
  return Math.ceil(Math.min(...times) / 1_000)
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const texts = value.slice(0, MAX_ENGINES).flatMap((one) => toText(one, MAX_NAME_CHARS) ?? [])
  return [...new Set(texts)]
}

function toText(value: unknown, maxChars: number): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxChars) : null
}
