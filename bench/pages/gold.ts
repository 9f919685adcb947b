import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createBrotliDecompress } from 'node:zlib'

/** A page whose right content people wrote down: the text, or snippets that must and must not be in it. */
export type GoldPage = {
  id: string
  url: string
  html: string
  type: string
  gold?: string
  goldMd?: string
  title?: string
  with: string[]
  without: string[]
}

export type GoldSet = 'wcxb-dev' | 'trafilatura'

const LINE_END = 10

/** Every `step`-th page of a set, one JSON object a line under brotli. Holds one page in memory. */
export async function* goldPages(
  folder: string,
  set: GoldSet,
  step: number,
): AsyncGenerator<GoldPage> {
  let index = 0
  for await (const line of linesOf(join(folder, `${set}.jsonl.br`))) {
    if (line.trim() === '' || index++ % step !== 0) continue
    const page = JSON.parse(line) as Partial<GoldPage> & { id: string; html: string; type: string }
    yield { ...page, url: page.url ?? page.id, with: page.with ?? [], without: page.without ?? [] }
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  const stream = createReadStream(file).pipe(createBrotliDecompress())
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)]).toString('utf8')
      pieces = []
      from = at + 1
    }
    pieces.push(chunk.subarray(from))
  }
  yield Buffer.concat(pieces).toString('utf8')
}

const DENSE = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]`
const WORD = new RegExp(`${DENSE}|[[\\p{L}\\p{N}]--${DENSE}]+`, 'gv')

/**
 * Words without case, marks, soft hyphens and compatibility forms: what two texts are compared by. In scripts
 * without spaces, each character counts as a word.
 */
export function wordsOf(text: string): string[] {
  return text.replaceAll('\u00AD', '').toLowerCase().normalize('NFKC').match(WORD) ?? []
}

/** Overlap of two bags of words, 0 to 1. */
export function wordF1(expected: readonly string[], found: readonly string[]): number {
  if (expected.length === 0 && found.length === 0) return 1
  const left = new Map<string, number>()
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count > 0) shared += 1
    left.set(word, count - 1)
  }
  return (2 * shared) / (expected.length + found.length)
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Pages of one site are in the same fold, so that no model is measured on a site that it knows. */
export function foldOf({ url, id }: Pick<GoldPage, 'url' | 'id'>, folds: number): number {
  const site = URL.parse(url)?.hostname.split('.').slice(-2).join('.') ?? id
  let sum = 7
  for (const character of site) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return sum % folds
}
