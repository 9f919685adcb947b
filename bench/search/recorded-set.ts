/**
 * Queries with judged pages, written by hand, and the lists of four engines, which a seeded rule makes from them. No
 * engine was queried: the figures compare rankings of the same lists and do not measure the web.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineHit } from '../../src/composites/search/engine-reply.ts'
import { canonicalKey, cleanUrl } from '../../src/composites/onesearch/canonical-url.ts'

export type JudgedQuery = {
  readonly query: string
  /** 2: answers the query, 1: is about it, 0: is not. By the canonical key of the page. */
  readonly grades: ReadonlyMap<string, number>
  readonly hits: readonly EngineHit[]
}

export const ENGINES = ['bing', 'mojeek', 'duckduckgo', 'wikipedia'] as const
/** Lists of each engine for each query: single draws differ by more than the rankings do. */
const DRAWS = 20
/** The chance that an engine knows a page, by grade, and the weight of the noise in its order. */
const KNOWN = [0.55, 0.65, 0.8]
const NOISE = 2

type Page = {
  readonly grade: number
  readonly url: string
  readonly title: string
  readonly snippet: string
}

/** Lines: "? query", then "grade url | title | snippet" for each page. */
export function readSet(name: string): readonly JudgedQuery[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8')
  return text
    .split(/^\? /m)
    .slice(1)
    .flatMap((block) => {
      const [query = '', ...lines] = block.trim().split('\n')
      const pages = lines.map(toPage)
      return Array.from({ length: DRAWS }, (_, draw) => toQuery(query, pages, draw))
    })
}

function toPage(line: string): Page {
  const [address = '', title = '', snippet = ''] = line.split(' | ')
  return { grade: Number(address[0]), url: address.slice(2), title, snippet }
}

function toQuery(query: string, pages: readonly Page[], draw: number): JudgedQuery {
  const lists = ENGINES.map((engine) =>
    pages
      .filter(
        ({ url, grade }) =>
          chanceOf(`${draw} knows ${engine} ${query} ${url}`) < (KNOWN[grade] ?? 0),
      )
      .map((page) => ({
        page,
        score: page.grade + NOISE * chanceOf(`${draw} ${engine} ${query} ${page.url}`),
      }))
      .toSorted((a, b) => b.score - a.score)
      .map(({ page }) => page),
  )
  const hits = pages.flatMap((page): EngineHit[] => {
    const places = lists.map((list) => list.indexOf(page) + 1)
    const engines = ENGINES.filter((_, at) => (places[at] ?? 0) > 0)
    const { url, title, snippet } = page
    const positions = places.filter((place) => place > 0)
    return engines.length === 0
      ? []
      : [{ url, title, snippet, published: null, engines, positions }]
  })
  const grades = new Map(pages.map(({ url, grade }) => [keyOf(url), grade]))
  return { query, grades, hits }
}

export function keyOf(url: string): string {
  return canonicalKey(cleanUrl(url) ?? url)
}

/** From 0 to 1, always the same for the same text (FNV-1a, mixed). */
function chanceOf(text: string): number {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}
