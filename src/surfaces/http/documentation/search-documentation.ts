/** Search over the sections of the documentation, in memory. */
import { lexer, type Token, type Tokens } from 'marked'
import MiniSearch from 'minisearch'
import { createSliced, type Steps, type Turns } from '../../../lib/background/sliced.ts'
import { plainText } from './markdown/plain-text.ts'
import { createSlugs } from './markdown/slugs.ts'
import { splitSections } from './markdown/split-sections.ts'
import type { Documentation, DocumentationPage } from './open-documentation.ts'

export type DocumentationHit = {
  /** The address with its anchor. */
  readonly href: string
  readonly page: string
  /** The heading of the section, or the title of the page. */
  readonly heading: string
  readonly excerpt: string
}

type Entry = DocumentationHit & { readonly id: number; readonly text: string }

/** A section of a reference is as long as its table; its first words name its subject. */
const INDEXED_CHARS = 2_000
const EXCERPT_CHARS = 180
const MOST_HITS = 20
const ACTIONS = 'reference/catalog'
/** Contributors search, too, but members and operators come first. */
const WEIGHTS = { members: 1, operators: 0.8, contributors: 0.3 } as const

export type DocumentationSearch = {
  /** The first search builds the index in the background. All callers wait for the same build. */
  readonly search: (query: string) => Promise<readonly DocumentationHit[]>
}

export function createDocumentationSearch(
  documentation: Documentation,
  turns?: Turns,
): DocumentationSearch {
  const index = createSliced(() => buildIndex(documentation), turns)
  return {
    search: async (query) => searchIndex(await index.inSlices(), query),
  }
}

type Index = {
  readonly words: MiniSearch<Entry>
  readonly entries: readonly Entry[]
  readonly weights: readonly number[]
}

function* buildIndex({ pages, markdownOf }: Documentation): Steps<Index> {
  const words = new MiniSearch<Entry>({
    fields: ['page', 'heading', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  const entries: Entry[] = []
  const weights: number[] = []
  for (const page of pages) {
    const sections = yield* sectionsOf(page, yield* markdownOf(page))
    for (const section of sections) {
      const entry = { ...section, id: entries.length }
      entries.push(entry)
      weights.push(WEIGHTS[page.audience])
      words.add(entry)
      yield
    }
  }
  return { words, entries, weights }
}

function searchIndex({ words, entries, weights }: Index, query: string): DocumentationHit[] {
  const boostDocument = (id: unknown): number => weights[Number(id)] ?? 1
  const all = words.search(query, { boostDocument })
  const found = all.length > 0 ? all : words.search(query, { boostDocument, combineWith: 'OR' })
  return found.slice(0, MOST_HITS).flatMap(({ id, terms }) => {
    const entry = entries[Number(id)]
    if (entry === undefined) return []
    const { href, page, heading, text } = entry
    return [{ href, page, heading, excerpt: excerptOf(text, terms) }]
  })
}

/** The part of the text around the first word found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const first = Math.min(...places, text.length)
  const start = first === text.length || first < EXCERPT_CHARS / 2 ? 0 : first - EXCERPT_CHARS / 3
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const part = text.slice(from, from + EXCERPT_CHARS)
  const end = from + EXCERPT_CHARS < text.length ? part.lastIndexOf(' ') : part.length
  return `${from > 0 ? '… ' : ''}${part.slice(0, end)}${end < text.length - from ? ' …' : ''}`
}

/** A page in the parts that its headings make. Of an action, only its description is searched. */
function* sectionsOf(
  { slug, label, parent }: DocumentationPage,
  markdown: string,
): Steps<Omit<Entry, 'id'>[]> {
  const slugOf = createSlugs()
  const sections: { heading: string; anchor: string; tokens: Token[] }[] = [
    { heading: label, anchor: '', tokens: [] },
  ]
  const isOfActions = parent === ACTIONS
  const text = isOfActions ? markdown.replaceAll(/^\|.*\n/gm, '') : markdown
  for (const part of splitSections(text)) {
    for (const token of lexer(part)) {
      if (token.type === 'heading') {
        const { depth, tokens } = token as Tokens.Heading
        const heading = plainText(tokens)
        const anchor = slugOf(heading)
        if (depth > 1) sections.push({ heading, anchor: `#${anchor}`, tokens: [] })
      } else sections.at(-1)?.tokens.push(token)
    }
    yield
  }
  return sections.map(({ heading, anchor, tokens }) => ({
    href: `/docs/${slug}${anchor}`,
    page: label,
    heading,
    excerpt: '',
    text: tokens
      .map((token) => plainText([token]))
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, INDEXED_CHARS),
  }))
}
