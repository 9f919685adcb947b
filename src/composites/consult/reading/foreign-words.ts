/** Splits intents in other languages than English into words with their English meaning. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldWord, loadTranslate } from '../../discover/ranking/lexicon.ts'
import { isEnglish } from './languages.ts'

export type ForeignWord = {
  readonly text: string
  readonly from: number
  readonly to: number
  /** The catalog's words for it. Empty for names and unknown words. */
  readonly english: readonly string[]
  /** Whether it is an article, a preposition or another function word. */
  readonly isFiller: boolean
}

const LONGEST_PHRASE = 3
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const WORD = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}'’.&+-]{0,60}[\p{L}\p{M}\p{N}])?/gu
/** "l'adresse", "d'écran", "dell'azienda". */
const ELISION = /^(?:l|d|j|s|n|c|m|t|qu|un|dell|nell|all|sull|dall)['’](?=\p{L})/iu
/** "İstanbul'da", "Elif Yılmaz'ın". */
const SUFFIX = /['’]\p{Ll}{1,5}$/u
const PARTICLE =
  /(?<=\p{Script=Hangul}{2})(?:에서|에게|으로|까지|부터|이라는|라는|을|를|이|가|은|는|의|에|로|와|과|도|만)$/u

const fillers = new Set<string>()

/** One line per language of `filler.txt`, which begins with its code. */
function loadFillers(): ReadonlySet<string> {
  if (fillers.size > 0) return fillers
  for (const line of readFileSync(join(import.meta.dirname, 'filler.txt'), 'utf8').split('\n'))
    for (const word of line
      .slice(line.indexOf(':') + 1)
      .trim()
      .split(' '))
      fillers.add(foldWord(word.toLowerCase()))
  return fillers
}

export function foreignWordsIn(text: string): ForeignWord[] {
  const spans = [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    UNSPACED.test(word) ? segment(word, index) : [trim(word, index)],
  )
  const folded = spans.map(({ text: word }) => foldWord(word.toLowerCase()))
  const meanings = folded.map(meaningOf)
  return spans.map((span, at) => ({
    ...span,
    english: [...new Set([...(meanings[at] ?? []), ...phraseMeaning(folded, meanings, at)])],
    isFiller: loadFillers().has(folded[at] ?? ''),
  }))
}

type Span = Pick<ForeignWord, 'text' | 'from' | 'to'>

function trim(word: string, from: number): Span {
  const elided = ELISION.exec(word)?.[0].length ?? 0
  const text = word.slice(elided).replace(SUFFIX, '').replace(PARTICLE, '')
  return { text, from: from + elided, to: from + elided + text.length }
}

const segmenters = {
  ja: new Intl.Segmenter('ja', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
}
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

function segment(run: string, from: number): Span[] {
  return [...segmenters[KANA.test(run) ? 'ja' : 'zh'].segment(run)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment: text, index }) => ({
      text,
      from: from + index,
      to: from + index + text.length,
    }))
}

function meaningOf(word: string): readonly string[] {
  const whole = loadTranslate()([word])
  if (whole.length > 0 || !word.includes('-')) return whole
  // "E-Mail-Adresse": its parts.
  return loadTranslate()(word.split('-').filter((part) => part.length > 3))
}

/** The meaning of a phrase around a word, such as "ekran görüntüsü". */
function phraseMeaning(
  words: readonly string[],
  meanings: readonly (readonly string[])[],
  at: number,
): readonly string[] {
  for (let length = LONGEST_PHRASE; length > 1; length -= 1)
    for (let from = Math.max(0, at - length + 1); from <= at; from += 1) {
      const part = words.slice(from, from + length)
      if (part.length < length) continue
      const known = new Set(meanings.slice(from, from + length).flat())
      const joined = part.every((word) => UNSPACED.test(word)) ? [part.join('')] : part
      const added = loadTranslate()(joined).filter((english) => !known.has(english))
      if (added.length > 0) return added
    }
  return []
}

/** Whether a word is vocabulary of requests in another language, not a part of a name. */
export function isVocabulary({ text, english, isFiller }: ForeignWord): boolean {
  return !/^\p{Lu}{2,5}$/u.test(text) && (isFiller || english.length > 0)
}

/** `text` without words of requests at its ends: "Fielmann AG" of "Handelsregistereintrag der Fielmann AG". */
export function withoutVocabulary(
  text: string,
  isDropped: (word: ForeignWord) => boolean = isVocabulary,
): string {
  const words = foreignWordsIn(text)
  const first = words.findIndex((word) => !isDropped(word))
  const last = words.findLastIndex((word) => !isDropped(word))
  return first < 0 ? '' : text.slice(words[first]?.from, words[last]?.to)
}

/** A text with the English meanings of its words, if it is in another language. */
export function withMeanings(text: string): string {
  return isEnglish(text)
    ? text
    : [text, ...foreignWordsIn(text).flatMap(({ english }) => english)].join(' ')
}
