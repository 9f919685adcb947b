/**
 * Reads the data from which an application draws its page: `__NEXT_DATA__`, `__NUXT__`, `__NUXT_DATA__`,
 * `__INITIAL_STATE__`, `__next_f`, other JSON scripts, and JSON in attributes.
 */
import { isFields } from '../../lib/json-fields.ts'
import { flightChunk, flightValues } from './flight.ts'
import { parseJson } from './linked-data.ts'
import { bylineOf, paragraphs } from './node-content.ts'
import { nuxtState } from './nuxt-state.ts'
import { readLiteral } from './object-literal.ts'
import { scriptsIn } from './scripts.ts'
import { endOfValue } from './value-end.ts'

const JSON_TYPE = /\btype\s*=\s*["']?application\/json\b|\bid\s*=\s*["']?__NEXT_DATA__\b/i
/** The start of an assignment of an object, or of JSON text in `JSON.parse`. */
const ASSIGNMENT =
  /(?:^|[;\n])[ \t]{0,20}(?:(?:window|self|globalThis)[.[]|var |let |const )["']?\w{0,60}(?:STATE|DATA|NUXT|PROPS|CONTEXT|PRELOADED|INITIAL|payload)\w{0,60}["']?\]?\s{0,9}=\s{0,9}(JSON\.parse\(\s{0,9})?(?=[{"'])/gi
const MOST_ASSIGNMENTS = 20
const ATTRIBUTE =
  /\bdata-(?:preloaded|page|props|react-props|initial-state|state)\s*=\s*(?:"([^"]{200,})"|'([^']{200,})')/gi

const MAX_DEPTH = 14
const MAX_VALUES = 200_000
/** The state of a call may name one text many times. */
const MAX_CHARACTERS = 30_000_000
const LEAST_CHARACTERS = 300
const MOST_PASSAGES = 500
const LEAST_WORDS = 8
const SHORTEST = 60
/** Dictionaries, settings and styles of the application itself. */
const NOT_CONTENT =
  /^(i18n|_?locale\w*|translations?|messages|labels|dictionary|strings|config\w*|settings|features|flags|theme\w*|styles?|css|scripts?|env|cookies?\w*|consent\w*|privacy\w*|legal\w*|terms\w*|footer\w*|header\w*|nav\w*|menus?|meta\w*|seo\w*|keywords|errors?|query|queries|fragments?|schemas?|ads?|tracking|analytics|siteSettings|site|customEmoji|related\w*|recommend\w*|class|\w*className\w*|srcSet|sizes)$/i
const NOT_PROSE = /^\s*([{[]|https?:\/\/|data:|function|<svg|<style|<script)|\{[^}]*:[^}]*;/

type Passage = { readonly text: string; readonly author: string; readonly date: string }

/** The longest group of texts under one path, as HTML; undefined if no group is long enough. */
export function hydrationContent(html: string): string | undefined {
  const groups = new Map<string, Passage[]>()
  const walk = { groups, values: 0, characters: 0 }
  for (const value of valuesIn(html)) gather(value, '', walk, 0)
  const best = [...groups.values()].reduce<readonly Passage[]>(
    (longest, group) => (lengthOf(group) > lengthOf(longest) ? group : longest),
    [],
  )
  if (lengthOf(best) < LEAST_CHARACTERS) return undefined
  const isThread = best.length > 1
  return best
    .map(({ text, author, date }) => (isThread ? bylineOf(author, date) : '') + paragraphs(text))
    .join('')
}

function* valuesIn(html: string): Generator {
  let flight = ''
  for (const { attributes, text } of scriptsIn(html)) {
    if (JSON_TYPE.test(attributes)) yield parseJson(text)
    else {
      yield* assignedValues(text)
      yield nuxtState(text)
    }
    flight += flightChunk(text)
  }
  yield* flightValues(flight)
  for (const [, double, single] of html.matchAll(ATTRIBUTE))
    yield parseJson(decoded(double ?? single ?? ''))
}

function* assignedValues(script: string): Generator {
  let count = 0
  let end = 0
  for (const { 0: start, 1: parse, index } of script.matchAll(ASSIGNMENT)) {
    const from = index + start.length
    if (from < end || count === MOST_ASSIGNMENTS) continue
    count += 1
    end = endOfValue(script, from)
    const value = script.slice(from, end)
    if (parse === undefined)
      yield value.startsWith('{') ? (parseJson(value) ?? readLiteral(value)) : undefined
    else yield parseText(value)
  }
}

/** The JSON in a string literal. Single quotes are written as double ones first. */
function parseText(literal: string): unknown {
  const double = literal.startsWith("'")
    ? `"${literal
        .slice(1, -1)
        .replaceAll("\\'", "'")
        .replaceAll(/(?<!\\)"/g, '\\"')}"`
    : literal
  const text = parseJson(double)
  return typeof text === 'string' ? parseJson(text) : undefined
}

type Walk = { readonly groups: Map<string, Passage[]>; values: number; characters: number }

function gather(value: unknown, path: string, walk: Walk, depth: number): void {
  walk.values += 1
  if (depth > MAX_DEPTH || walk.values > MAX_VALUES) return
  if (Array.isArray(value)) {
    for (const each of value) {
      if (typeof each === 'string') walk.characters += each.length
      if (walk.characters > MAX_CHARACTERS) return
      if (typeof each === 'string') keep(each, `${path}[]`, {}, walk)
      else gather(each, `${path}[]`, walk, depth + 1)
    }
  }
  if (!isFields(value)) return
  for (const [name, each] of Object.entries(value)) {
    if (NOT_CONTENT.test(name)) continue
    const inner = `${path}.${/\d/.test(name) ? '*' : name}`
    if (typeof each === 'string') walk.characters += each.length
    if (walk.characters > MAX_CHARACTERS) return
    // Some applications store JSON as text.
    if (typeof each === 'string' && /^\s*[{[]/.test(each) && each.length > LEAST_CHARACTERS)
      gather(parseJson(each), inner, walk, depth + 1)
    else if (typeof each === 'string') keep(each, inner, value, walk)
    else gather(each, inner, walk, depth + 1)
  }
}

function keep(
  text: string,
  path: string,
  around: Readonly<Record<string, unknown>>,
  walk: Walk,
): void {
  if (text.length < SHORTEST || NOT_PROSE.test(text.slice(0, 300))) return
  if (text.split(/\s+/, LEAST_WORDS).length < LEAST_WORDS && !/\p{sc=Han}{8}/u.test(text)) return
  const group = walk.groups.get(path) ?? []
  walk.groups.set(path, group)
  if (group.length < MOST_PASSAGES && !group.some((known) => known.text === text))
    group.push({
      text,
      author: named(around, ['username', 'author', 'authorName', 'user', 'name']),
      date: named(around, ['created_at', 'createdAt', 'datePublished', 'publishedAt', 'date']),
    })
}

function named(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name]
    const text = isFields(value) ? (value['name'] ?? value['username']) : value
    if (typeof text === 'string' && text !== '' && text.length < 100) return text
  }
  return ''
}

const lengthOf = (group: readonly Passage[]): number =>
  group.reduce((sum, { text }) => sum + text.length, 0)

function decoded(attribute: string): string {
  return attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
