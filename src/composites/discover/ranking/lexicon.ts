/**
 * Translates words of fourteen languages to English words of the catalog. Each line of `lexicon.txt` has
 * English words, a colon and word beginnings in other languages; "_" joins the words of a phrase.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWhole, type Steps } from '../../../lib/background/sliced.ts'

/** Returns the English words for the words of a text, which are lower-case and folded. */
export type Translate = (words: readonly string[]) => readonly string[]

const LONGEST_PHRASE = 3
/** A word may have an ending of this many letters after an entry. */
const LONGEST_ENDING = 5
/** Shorter entries match only whole words. */
const LEAST_STEM = 4
const LEAST_STEM_OF_OTHER_SCRIPTS = 3
/** Entries of this length also match the first part of a compound. */
const LEAST_COMPOUND_PART = 7
const LONGEST_ENTRY = 16

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const ARABIC_PREFIX = /^(?:و|ف)?(?:ال|بال|لل|وال|كال|ب|ل|ك)(?=\p{L}{3})/u

let loaded: Translate | undefined

/** Reads the lexicon on the first call. */
export function loadTranslate(): Translate {
  return runWhole(translateSteps())
}

export function* translateSteps(): Steps<Translate> {
  loaded ??= yield* parseSteps(readFileSync(join(import.meta.dirname, 'lexicon.txt'), 'utf8'))
  return loaded
}

export function createTranslate(lexicon: string): Translate {
  return runWhole(parseSteps(lexicon))
}

function* parseSteps(lexicon: string): Steps<Translate> {
  const entries = yield* parseLexicon(lexicon)
  return (words) => {
    const found = new Set<string>()
    for (let at = 0; at < words.length;) {
      const match = matchAt(entries, words, at)
      for (const english of match.english) found.add(english)
      at += match.length
    }
    return [...found]
  }
}

type Entries = ReadonlyMap<string, readonly string[]>

function* parseLexicon(lexicon: string): Steps<Entries> {
  const entries = new Map<string, string[]>()
  for (const line of lexicon.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const english = line.slice(0, colon).split(' ')
    for (const form of line
      .slice(colon + 1)
      .trim()
      .split(' ')) {
      const key = foldWord(form.toLowerCase()).replaceAll(/[-']/g, '_')
      entries.set(key, [...(entries.get(key) ?? []), ...english])
    }
    yield
  }
  return entries
}

type Match = { readonly english: readonly string[]; readonly length: number }

function matchAt(entries: Entries, words: readonly string[], at: number): Match {
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 1; length -= 1) {
    const english = matchPhrase(entries, words.slice(at, at + length))
    if (english.length > 0) return { english, length }
  }
  const word = words[at] ?? ''
  return {
    english: UNSPACED.test(word) ? scan(entries, word) : matchWord(entries, word),
    length: 1,
  }
}

/** Matches all words of a phrase; the last one may have an ending. */
function matchPhrase(entries: Entries, words: readonly string[]): readonly string[] {
  const phrase = words.join('_')
  const shortest = phrase.length - Math.min(LONGEST_ENDING, (words.at(-1) ?? '').length - 1)
  for (let length = phrase.length; length >= shortest; length -= 1) {
    const found = entries.get(phrase.slice(0, length))
    if (found !== undefined) return found
  }
  return []
}

function matchWord(entries: Entries, word: string): readonly string[] {
  const bare = word.replace(ARABIC_PREFIX, '')
  const found = entries.get(word) ?? entries.get(bare)
  if (found !== undefined) return found
  const least = /^\p{Script=Latin}/u.test(bare) ? LEAST_STEM : LEAST_STEM_OF_OTHER_SCRIPTS
  for (let length = Math.min(bare.length - 1, LONGEST_ENTRY); length >= least; length -= 1) {
    if (bare.length - length > LONGEST_ENDING && length < LEAST_COMPOUND_PART) break
    const stem = entries.get(bare.slice(0, length))
    if (stem !== undefined) return stem
  }
  return []
}

/** Finds the longest entries from left to right in text without spaces. */
function scan(entries: Entries, run: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < run.length;) {
    let taken = 1
    for (let length = Math.min(LONGEST_ENTRY, run.length - at); length > 0; length -= 1) {
      const english = entries.get(run.slice(at, at + length))
      if (english === undefined) continue
      found.push(...english)
      taken = length
      break
    }
    at += taken
  }
  return found
}

const ACCENTED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}]/u

/** Removes accents. Marks of Indic and Japanese scripts distinguish letters, so they stay. */
export function foldWord(word: string): string {
  const plain = /^\p{ASCII}*$/u.test(word)
    ? word
    : ACCENTED.test(word)
      ? word.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      : word.normalize('NFD').replaceAll('\u093C', '').normalize('NFC')
  return plain.replaceAll('ı', 'i').replaceAll('ł', 'l').replaceAll('ß', 'ss')
}
