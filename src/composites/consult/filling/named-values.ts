/** Values of an intent for fields that take names, identifiers, emails or messages. */
import { airportsIn } from '../reading/airports.ts'
import type { Entities } from '../reading/entities.ts'
import type { EntityKind } from '../reading/entity-kind.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { foreignTickerIn, tickerOf } from '../reading/tickers.ts'

export function namedValues(
  kinds: readonly EntityKind[],
  name: string,
  { entities, intent }: IntentReading,
): readonly string[] {
  const { values } = entities
  // The name of something to create.
  if (values.label !== undefined && /^(?:user_?)?name$/i.test(name)) return values.label
  if (kinds[0] === 'url')
    return [
      ...(values.url ?? []),
      ...(values.domain ?? []).map((domain) => `https://${domain}/`),
      ...(kinds.includes('linkedin') ? (values.linkedin ?? []) : []),
    ]
  if (kinds[0] === 'domain')
    return (
      values.domain ?? [
        ...(values.url ?? []).map(toHost),
        ...(values.email ?? []).map((email) => email.split('@')[1] ?? ''),
      ]
    ).filter((host) => host !== '')
  if (kinds[0] === 'id')
    return idsFor(name, { entities, intent }) ?? values.cve ?? idsIn(values.url?.[0] ?? '', intent)
  // The first airport is the departure, the second the arrival.
  if (kinds[0] === 'airport') return airportsFor(name, intent, values.airport ?? [])
  if (kinds[0] === 'ticker') return tickersFor(values, intent)
  const kind = kinds.find((one) => values[one] !== undefined)
  return kind === undefined ? [] : (values[kind] ?? [])
}

/** Tickers of the intent, or those of the companies that it names. A name is never a ticker. */
function tickersFor(values: Entities['values'], intent: string): readonly string[] {
  if (values.ticker !== undefined) return values.ticker.map((ticker) => ticker.toUpperCase())
  const named = [...(values.company ?? []), ...(values.person ?? [])]
  return [...named.map(tickerOf), foreignTickerIn(intent)].filter((ticker) => ticker !== '')
}

const ARRIVAL =
  /\b(?:to|into|arriv(?:e|es|ing|als?)|land(?:s|ed|ing)?(?: (?:in|at))?|bound for|nach|a|à)\s+(?:at |in )?[\p{Lu}]/u

/** "From Frankfurt to JFK": the first airport is the departure, the second the arrival. */
function airportsFor(name: string, intent: string, known: readonly string[]): readonly string[] {
  const [first, second] = airportsIn(intent, known)
  const isArrival = name.startsWith('arr')
  const isDeparture = name.startsWith('dep')
  if (second !== undefined) return isArrival ? [second] : first === undefined ? [] : [first]
  if (first === undefined) return []
  const isAlone = !isArrival && !isDeparture
  return isAlone || ARRIVAL.test(intent) === isArrival ? [first] : []
}

/** The email addresses that follow `cue` in the intent. */
export function emailsAfter({ entities, intent }: IntentReading, cue: RegExp): readonly string[] {
  return (entities.values.email ?? []).filter((email) =>
    cue.test(intent.slice(0, intent.indexOf(email))),
  )
}

const MESSAGE_CUE =
  /\b(?:saying|that says|which says|with the text|telling (?:him|her|them)(?: that)?)\s+/gi
const LONGEST_MESSAGE = 1_000

/** The text after a cue such as "saying". A single pattern for both would be quadratic. */
export function messageIn(intent: string): string {
  const messages = intent.matchAll(MESSAGE_CUE).map(({ 0: cue, index }) =>
    intent
      .slice(index + cue.length)
      .trim()
      .replace(/^["“']/, '')
      .replace(/["”']$/, ''),
  )
  return messages.find((message) => message.length >= 2 && message.length <= LONGEST_MESSAGE) ?? ''
}

function toHost(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}

const PREFIXES: Readonly<Record<string, RegExp>> = {
  inbox: /^(?:in|inb|inbox)[_-]/,
  message: /^msg[_-]/,
  sandbox: /^sb[_-]/,
  file: /^file[_-]/,
  job: /^job[_-]/,
  session: /^(?:ses|bs)[_-]/,
  run: /^(?:run|trun)[_-]/,
  snapshot: /^snap[_-]/,
}

/** The ids that a field such as `inbox_id` means: by their prefix, or as the only id. Undefined without one. */
export function idsFor(
  name: string,
  { entities: { values } }: Pick<IntentReading, 'entities'> & { readonly intent?: string },
): readonly string[] | undefined {
  const ids = values.id ?? []
  const thing = Object.keys(PREFIXES).find((word) => name.toLowerCase().startsWith(word))
  if (thing === undefined) return values.id ?? values.code
  const own = ids.filter((id) => PREFIXES[thing]?.test(id))
  if (own.length > 0) return own
  // An id of another kind of thing is not meant.
  const unknown = ids.filter((id) => !Object.values(PREFIXES).some((prefix) => prefix.test(id)))
  return unknown.length > 0 ? unknown : values.code
}

const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  image: /\.(?:png|jpe?g|webp|gif|bmp|avif)(?:[?#]|$)/i,
  video: /\.(?:mp4|mov|webm|mkv|avi|m4v)(?:[?#]|$)/i,
  audio: /\.(?:mp3|wav|ogg|m4a|flac|aac)(?:[?#]|$)/i,
}

/** The URLs of files for a field such as `video_url`: by their extension, otherwise by the intent's words. */
export function mediaUrls(
  name: string,
  { entities: { values }, intent }: IntentReading,
): readonly string[] {
  const kind = Object.keys(EXTENSIONS).find((one) => name.startsWith(one))
  if (kind === undefined) return []
  return (values.url ?? []).filter((url) => {
    const known = Object.keys(EXTENSIONS).find((one) => EXTENSIONS[one]?.test(url))
    return (known ?? (new RegExp(`\\b${kind}`, 'i').test(intent) ? kind : '')) === kind
  })
}

/** The id of a post or video, from its URL or the intent. */
function idsIn(url: string, intent: string): string[] {
  const inUrl =
    /[?&]v=([\w-]{6,20})/.exec(url)?.[1] ??
    /youtu\.be\/([\w-]{6,20})/.exec(url)?.[1] ??
    /\/comments\/(\w{4,12})/.exec(url)?.[1] ??
    /\/(?:p|reel)\/([\w-]{5,20})/.exec(url)?.[1] ??
    /(\d{6,20})(?!.*\d{6,20})/.exec(url)?.[1]
  const found =
    inUrl ??
    /(?<!, )\b(?:id|number|no\.?|#) ?(\d{2,20})\b/i.exec(intent)?.[1] ??
    /\b(\d{8,20})\b/.exec(intent)?.[1]
  return found === undefined ? [] : [found]
}

export function personPart({ values }: Entities, part: 'first' | 'last'): string | undefined {
  const words = values.person?.[0]?.split(' ') ?? []
  return words.length < 2 ? undefined : part === 'first' ? words[0] : words.slice(1).join(' ')
}
