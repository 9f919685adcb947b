/** Names of the endpoints of passthrough actions, for people. */
import exceptions from './endpoint-titles.json' with { type: 'json' }
import type { EndpointAction, EndpointEntry, Service } from '../vocabulary/define.ts'
import { runWhole, type Steps } from '../../lib/background/sliced.ts'
import { improvePhrase } from './phrase.ts'
import { titleFromSentence } from './title-from-sentence.ts'

export type EndpointName = {
  /** Unique in its service. */
  readonly title: string
  /** The platform or subject that the endpoint belongs to. Null if its action has no groups. */
  readonly group: string | null
}

type Draft = EndpointName & { readonly key: string; readonly qualifiers: Qualifiers }
/** Words that distinguish two equal titles. */
type Qualifiers = {
  readonly surface: string
  readonly version: string
  readonly last: string
}

/** Summaries that were made from a path, such as "TikTok ads: read ad details". */
const FROM_PATH =
  /^([A-Z][\w/ ]*?)( v\d)?: ((?:read|search|generate|convert|encrypt|decrypt|open|check|turn|register|extract|translate)\b[^.]*?)(?: \(v\d+\))?$/
/** Phrases that do not continue the name of a platform. */
const NO_NOUN =
  /^(?:convert|check|generate|encrypt|decrypt|extract|translate|register|detect|increase|shorten|compare|authorize|about|search (?:by|among|posts|items)|link that)\b/
const ANY_PLATFORM = 'Any platform link'

/** Titles that neither the summary nor the path gives well, by path. */
const TITLES = new Map<string, string>(Object.entries(exceptions))

const known = new WeakMap<Service, ReadonlyMap<string, EndpointName>>()

/** The name of one endpoint of a service. */
export function endpointName(service: Service, action: string, endpoint: string): EndpointName {
  const names = known.get(service) ?? runWhole(endpointNamesSteps(service))
  return names.get(keyOf(action, endpoint)) ?? { title: endpoint, group: null }
}

/** Names all endpoints of a service at the first call. */
export function* endpointNamesSteps(service: Service): Steps<ReadonlyMap<string, EndpointName>> {
  let names = known.get(service)
  if (names === undefined) known.set(service, (names = yield* nameEndpoints(service)))
  return names
}

function keyOf(action: string, endpoint: string): string {
  return `${action} ${endpoint}`
}

function* nameEndpoints(service: Service): Steps<ReadonlyMap<string, EndpointName>> {
  const drafts: Draft[] = []
  for (const [name, action] of Object.entries(service.actions)) {
    if (action.kind !== 'endpoint') continue
    for (const entry of action.endpoints) {
      drafts.push(draft(name, action, entry))
      yield
    }
  }
  const names = new Map<string, EndpointName>()
  for (const equal of Map.groupBy(drafts, ({ title }) => title.toLowerCase()).values()) {
    for (const { key, title, group } of qualify(equal)) names.set(key, { title, group })
    yield
  }
  return names
}

function draft(name: string, action: EndpointAction, entry: EndpointEntry): Draft {
  const { endpoint, summary } = entry
  const [, section, sectionVersion = '', phrase] = FROM_PATH.exec(summary) ?? []
  const group = action.groups.find(([path]) => path.test(endpoint))?.[1] ?? null
  const segments = endpoint.split('/').filter((segment) => segment !== '')
  return {
    key: keyOf(name, endpoint),
    title: TITLES.get(endpoint) ?? titleOf(summary, section, phrase),
    group: group ?? (section === undefined ? null : platformOf(section)),
    qualifiers: {
      surface: `${segments.slice(3, -1).join(' ').replaceAll('_', ' ')}${sectionVersion === '' || segments.includes(sectionVersion.trim()) ? '' : sectionVersion}`,
      version: /_(v\d+)$/.exec(endpoint)?.[1] ?? '',
      last: segments.at(-1) ?? '',
    },
  }
}

function titleOf(summary: string, section: string | undefined, phrase: string | undefined): string {
  return section === undefined || phrase === undefined
    ? titleFromSentence(summary)
    : platformTitle(section, improvePhrase(phrase))
}

const SECTIONS: Readonly<Record<string, string>> = {
  'Twitter/X': 'X',
  'TikTok ads': 'TikTok Ads',
  'TikTok analytics': 'TikTok Analytics',
  'TikTok shop': 'TikTok Shop',
  'Douyin billboard': 'Douyin Billboard',
  'Douyin creator': 'Douyin Creator',
  'Douyin index': 'Douyin Index',
  'Douyin search': 'Douyin',
  'Douyin xingtu': 'Douyin Xingtu',
  'WeChat search': 'WeChat',
}

function platformTitle(section: string, words: string): string {
  const name = SECTIONS[section] ?? section
  if (section === ANY_PLATFORM) return `${words.charAt(0).toUpperCase()}${words.slice(1)} by link`
  return NO_NOUN.test(words) ? `${name}: ${words}` : `${name} ${words}`
}

/** The platform of a section: TikTok for TikTok ads. */
function platformOf(section: string): string {
  if (section === 'Twitter/X') return 'X (Twitter)'
  if (section === ANY_PLATFORM) return 'Any platform'
  return /^(TikTok|Douyin|WeChat)\b/.exec(section)?.[1] ?? section
}

const FORMS: readonly ((qualifiers: Qualifiers) => readonly string[])[] = [
  ({ version }) => [version],
  ({ surface }) => [surface],
  ({ surface, version }) => [surface, version],
  ({ surface, version, last }) => [surface, version, last],
]

/** Adds to equal titles the first kind of qualifier that makes all of them unique. */
function qualify(equal: readonly Draft[]): readonly Draft[] {
  if (equal.length === 1) return equal
  for (const form of FORMS) {
    const titles = equal.map(({ title, qualifiers }) => {
      const words = form(qualifiers).filter((word) => word !== '')
      return words.length === 0 ? title : `${title} (${words.join(', ')})`
    })
    if (new Set(titles).size === equal.length)
      return equal.map((one, at) => ({ ...one, title: titles[at] ?? one.title }))
  }
  return equal.map((one) => ({ ...one, title: `${one.title} (${one.key.split(' ').join(', ')})` }))
}
