/** Values of an intent for fields that take names, identifiers, emails or messages. */
import type { Entities } from './entities.ts'
import type { EntityKind } from './entity-rules.ts'
import type { IntentReading } from './intent-reading.ts'

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
  if (kinds[0] === 'id') return values.id ?? values.cve ?? idsIn(values.url?.[0] ?? '', intent)
  // The first airport is the departure, the second the arrival.
  if (kinds[0] === 'airport') return (values.airport ?? []).slice(name.startsWith('arr') ? 1 : 0)
  const kind = kinds.find((one) => values[one] !== undefined)
  return kind === undefined
    ? []
    : (values[kind] ?? []).map((value) =>
        name === 'ticker' || name === 'symbol' ? value.toUpperCase() : value,
      )
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
    /\b(?:id|number|no\.?|#) ?(\d{2,20})\b/i.exec(intent)?.[1] ??
    /\b(\d{8,20})\b/.exec(intent)?.[1]
  return found === undefined ? [] : [found]
}

export function personPart({ values }: Entities, part: 'first' | 'last'): string | undefined {
  const words = values.person?.[0]?.split(' ') ?? []
  return words.length < 2 ? undefined : part === 'first' ? words[0] : words.slice(1).join(' ')
}
