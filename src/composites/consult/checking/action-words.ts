/** The words that describe an action, to separate the task of an intent from its subject. */
import type { Entry } from '../../../catalog/index.ts'
import { endpointKeywords } from '../../../catalog/endpoints/endpoint-keywords.ts'
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import { synonymsOf } from '../../discover/synonyms.ts'
import { tokenize } from '../../discover/tokenize.ts'
import type { IntentWord } from '../reading/intent-words.ts'
import type { Target } from '../suggested-call.ts'

export type ActionWords = {
  /** Stems of its name, summary and keywords, with their synonyms. */
  readonly task: ReadonlySet<string>
  /** Also those of its description and parameters. */
  readonly all: ReadonlySet<string>
}

const MOST_CACHED = 4_000
const cache = new Map<string, ActionWords>()

export function wordsOf(entry: Entry, { endpoint }: Target, schema: JsonSchema): ActionWords {
  const key = `${entry.service.id}/${entry.name} ${endpoint ?? ''}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const { action, service, name } = entry
  const task =
    action.kind === 'endpoint' && endpoint !== null
      ? [
          endpoint,
          action.endpoints.find((one) => one.endpoint === endpoint)?.summary ?? '',
          endpointKeywords.get(endpoint) ?? '',
          service.id,
        ]
      : [service.id, name, action.summary, ...action.keywords]
  const taskStems = withSynonyms(task.flatMap(tokenize))
  const rest = [
    service.title,
    service.category,
    action.description ?? '',
    action.kind === 'endpoint' ? `${action.summary} ${action.keywords.join(' ')}` : '',
    ...wordsOfFields(schema),
  ].flatMap(tokenize)
  const words = { task: taskStems, all: new Set([...taskStems, ...rest]) }
  if (cache.size < MOST_CACHED) cache.set(key, words)
  return words
}

function wordsOfFields({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties).flatMap(
    ([name, { description = '', enum: choices, items }]) => [
      name,
      description,
      ...(choices ?? items?.enum ?? []).map(String),
    ],
  )
}

function withSynonyms(stems: readonly string[]): Set<string> {
  return new Set(stems.flatMap((stem) => [stem, ...synonymsOf(stem)]))
}

/**
 * The subject of an intent for an action: the longest run of words that do not describe the task, such as
 * "wooden chairs" in "HS code for wooden chairs". Words of `names` always belong to it. Empty if the intent has
 * none. `taskEnd` are the words after it, if all of them describe the task.
 */
export function subjectOf(
  words: readonly IntentWord[],
  text: string,
  { task }: ActionWords,
  names: readonly string[],
): { readonly subject: string; readonly taskEnd: string } {
  const kinds = words.map(({ isRequest, stems, english, text: word }) =>
    names.some((name) => name !== word && name.split(' ').includes(word))
      ? 'subject'
      : isRequest
        ? 'request'
        : isOfTask(stems, english, task)
          ? 'task'
          : 'subject',
  )
  let best = { from: 0, to: 0, count: 0, last: 0 }
  let run = best
  words.forEach(({ to, startsClause }, at) => {
    if (kinds[at] === 'task' || startsClause) run = { from: 0, to: 0, count: 0, last: 0 }
    if (kinds[at] !== 'subject') return
    const from = run.count === 0 ? startOfSubject(words, kinds, at) : run.from
    run = { from, to, count: run.count + 1, last: at }
    if (run.count >= best.count) best = run
  })
  // A task word directly after the subject belongs to it: "insulin pumps".
  let last = best.last
  while (best.count > 0 && kinds[last + 1] === 'task' && words[last + 1]?.startsClause === false)
    last += 1
  const end = words[last]?.to ?? best.to
  const isTask = kinds.slice(last + 1).every((kind) => kind !== 'subject')
  return {
    subject: best.count === 0 ? '' : text.slice(best.from, end).replace(/['’]s$/, ''),
    taskEnd: isTask ? text.slice(end).trim() : '',
  }
}

/** Meanings that name subjects, although descriptions of actions contain them, too. */
const SUBJECT_MEANINGS = new Set(
  'restaurant doctor disease drug food vehicle car engineer developer manager director founder ceo author bitcoin dollar euro coin'
    .split(' ')
    .flatMap(tokenize),
)

function isOfTask(
  stems: readonly string[],
  english: readonly string[],
  task: ReadonlySet<string>,
): boolean {
  if (english.some((stem) => SUBJECT_MEANINGS.has(stem))) return false
  return (
    (stems.length > 0 && stems.every((stem) => task.has(stem))) ||
    english.some((stem) => task.has(stem))
  )
}

const PREPOSITION = /^(?:for|about|on|of|called|named|regarding)$/i

/** A task word between a colon or preposition and the subject belongs to it: "sneakers: jordan 4". */
function startOfSubject(
  words: readonly IntentWord[],
  kinds: readonly string[],
  at: number,
): number {
  let first = at
  while (kinds[first - 1] === 'task' && words[first]?.startsClause === false) first -= 1
  const isBounded =
    first < at &&
    first > 0 &&
    (words[first]?.startsClause === true || PREPOSITION.test(words[first - 1]?.text ?? ''))
  return words[isBounded ? first : at]?.from ?? 0
}

/**
 * Words about the form of an answer or its urgency, which no action has a field for and which change nothing about
 * what to look up.
 */
const HARMLESS = new Set(
  (
    'status report summary overview sources sourced cited cite citation citations write prepare put together thorough detailed complete comprehensive short brief quick urgent properly correctly right real true ' +
    'people someone somebody anyone user users lately nowadays moment far good best great nice official number numbers list lists page pages link website site url work working works belong belongs belonging ' +
    'answer answers question questions result results figure figures value values entry entries record records number ok okay kind type types show view display load open paying'
  )
    .split(' ')
    .flatMap(tokenize),
)

/** Words that are neither filler, nor part of these texts, nor words of the action. */
export function unexplainedWords(
  words: readonly IntentWord[],
  { all }: ActionWords,
  texts: readonly string[],
): string[] {
  const explained = new Set(texts.flatMap(tokenize))
  const isExplained = (stem: string): boolean =>
    explained.has(stem) || all.has(stem) || HARMLESS.has(stem)
  return words
    .filter(
      ({ isRequest, text, stems, english }) =>
        !isRequest &&
        !stems.every(isExplained) &&
        !english.some(isExplained) &&
        // Languages without spaces have no stems of single words in a longer value.
        !texts.some((one) => !/\p{ASCII}/u.test(text) && one.includes(text)),
    )
    .map(({ text }) => text)
}
