/** Turns an intent into hashed features: words, word pairs, character n-grams and shapes. */
import { stem } from '../stem.ts'
import { foldWord, type Translate } from './lexicon.ts'
import { readShapes } from './shapes.ts'

const MAX_TEXT_CHARS = 1_000
const MAX_FEATURES_OF_FAMILY = 500
const MAX_CORRECTED_WORDS = 40

/** Hashes of features and their values, of equal length. */
export type TextFeatures = { readonly hashes: Uint32Array; readonly values: Float32Array }

/** Each family has length 1 before it is scaled by its weight, so long texts count as much as short ones. */
const FAMILY_WEIGHTS = { words: 1, pairs: 0.6, grams: 0.8, shapes: 0.8 }
type Family = keyof typeof FAMILY_WEIGHTS

export type IntentText = {
  /** Folded words without shapes such as addresses. */
  readonly words: readonly string[]
  /** English words for foreign ones. */
  readonly translated: readonly string[]
  /** Stems of the catalog for unknown words, which may have typing errors. */
  readonly corrected: readonly string[]
  readonly shapes: readonly string[]
}

/** Returns similar stems of the catalog for an unknown stem. */
export type Correct = (stem: string) => readonly string[]

export function readText(text: string, translate: Translate, correct: Correct): IntentText {
  const { shapes, rest } = readShapes(text.slice(0, MAX_TEXT_CHARS).normalize('NFKC'))
  const words = splitWords(rest).map(foldWord)
  const latin = words.filter((word) => LATIN.test(word)).slice(0, MAX_CORRECTED_WORDS)
  return {
    words,
    translated: translate(words),
    corrected: latin.flatMap((word) => correct(stem(word))),
    shapes,
  }
}

export function hashFeatures({ words, translated, corrected, shapes }: IntentText): TextFeatures {
  const stems = words.map(stem)
  const english = translated.map(stem)
  const families: Record<Family, Set<string>> = {
    words: new Set([...stems, ...english, ...corrected].map((word) => `w${word}`)),
    pairs: new Set(stems.slice(1).map((word, at) => `p${stems[at] ?? ''} ${word}`)),
    grams: new Set([...words, ...translated, ...corrected].flatMap(listGrams)),
    shapes: new Set(shapes.map((shape) => `s${shape}`)),
  }
  const hashes: number[] = []
  const values: number[] = []
  for (const [family, features] of Object.entries(families) as [Family, Set<string>][]) {
    const kept = [...features].slice(0, MAX_FEATURES_OF_FAMILY)
    const value = FAMILY_WEIGHTS[family] / Math.sqrt(Math.max(1, kept.length))
    for (const feature of kept) {
      hashes.push(hashText(feature))
      values.push(value)
    }
  }
  return { hashes: Uint32Array.from(hashes), values: Float32Array.from(values) }
}

/** Lower-case words of any script. Runs of Han and Kana stay whole; their n-grams stand for words. */
function splitWords(text: string): string[] {
  const split = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return split.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const LATIN = /^\p{Script=Latin}+$/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function listGrams(word: string): string[] {
  const isUnspaced = UNSPACED.test(word)
  const text = isUnspaced ? word : `<${word}>`
  const lengths = isUnspaced || /\p{Script=Hangul}/u.test(word) ? [1, 2, 3] : [3, 4, 5]
  const characters = [...text]
  return lengths.flatMap((length) =>
    Array.from(
      { length: Math.max(0, characters.length - length + 1) },
      (_, at) => `g${characters.slice(at, at + length).join('')}`,
    ),
  )
}

/** FNV-1a over UTF-16 code units, with a final mix. */
export function hashText(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    value ^= text.charCodeAt(at)
    value = Math.imul(value, 0x01000193)
  }
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
