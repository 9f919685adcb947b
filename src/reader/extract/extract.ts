import { withoutPosition } from '../fetch/view-fragment.ts'
import { readPageBlocks, shownSize, type ReadPage } from '../blocks/classify-blocks.ts'
import { chooseMainBlocks, READER_MODEL, type ReaderModel } from '../blocks/main-blocks.ts'
import { readPageFacts } from '../blocks/page-facts.ts'
import { pruneBlocks } from '../blocks/prune-blocks.ts'
import { readPageFields, type PageFields } from '../embedded/page-fields.ts'
import { declaredText } from './declared-text.ts'
import {
  absoluteUrl,
  baseUrlOf,
  bodyOf,
  isWithin,
  parseDocument,
  type DomDocument,
  type DomElement,
} from './dom.ts'
import { metaContent, readTitle } from './page-title.ts'
import { removeUnseen } from './unseen.ts'
import { findHiddenText, type HiddenText } from '../hidden/hidden-text.ts'
import { toMarkdown } from '../markdown/markdown.ts'
import { revealContent } from './reveal.ts'
import { toSafeHtml } from './safe-html.ts'
import { textLength } from './text-length.ts'
import { collapse, toText } from './text.ts'
import { findPosts, writeBylines } from './thread-bylines.ts'

export type ContentFormat = 'markdown' | 'html' | 'text'
export type ExtractInput = {
  html: string
  url: string
  format: ContentFormat
  mainContent: boolean
  includesLinks?: boolean | undefined
  /** All text is content, as in a text file: nothing is left out. */
  isContent?: boolean | undefined
  /** The attribute with which a browser marked what a person cannot see. */
  hiddenMark?: string | undefined
}
export type Extracted = {
  title: string | null
  description: string | null
  language: string | null
  fields: PageFields
  content: string
  format: ContentFormat
  chars: number
  /** Estimate of the word F1 of the main content, 0 to 1. */
  yield: number
  /** Each http(s) page or view that the page links to once, absolute, in document order; only if requested. */
  links?: string[]
}

/** Shorter content of a page without much text is replaced by what the page declares for machines. */
const LOST_CHARACTERS = 200
const BARE_SIZE = 1_000
const MAX_LINKS = 5_000
/** The most for a page whose scripts show its text: a browser reads it better. */
const UNDRAWN_YIELD = 0.1
const MENUS = 'nav,header,footer,[role="navigation"],[role="menu"],[role="menubar"]'

/**
 * A page's content as markdown, safe HTML or text, with absolute links. Accepts any input; broken
 * pages yield less.
 */
export function extractContent(input: ExtractInput, model = READER_MODEL): Extracted {
  const document = parseDocument(input.html)
  const baseUrl = baseUrlOf(document, input.url)
  const body = bodyOf(document)
  const pageFacts = readPageFacts(document, input.url)
  revealContent(document, body)
  const hidden = findHiddenText(document, {
    mark: input.hiddenMark,
    hasScripts: input.isContent !== true && document.querySelector('script') !== null,
  })
  const links = input.includesLinks === true ? linksOf(document, baseUrl, hidden) : undefined
  // The model knows pages with their hidden text: it is read with the blocks and never chosen.
  const page = input.isContent === true ? undefined : readPageBlocks(body, pageFacts, hidden)
  hidden.remove()
  const facts = {
    title: readTitle(document, input.url),
    description: metaContent(
      document,
      'meta[name="description"]',
      'meta[property="og:description"]',
    ),
    language: document.documentElement?.getAttribute('lang')?.trim() || null,
    fields: readPageFields(document, input.html, baseUrl),
  }
  const read = readMainContent(document, body, page, input, model)
  const root = input.mainContent ? withoutTitle(read.root, facts.title) : read.root
  const content = render(root, baseUrl, input.format)
  return {
    ...facts,
    content,
    format: input.format,
    chars: content.length,
    yield: hidden.isDrawnByScripts ? Math.min(read.yield, UNDRAWN_YIELD) : read.yield,
    ...(links === undefined ? {} : { links }),
  }
}

type MainContent = {
  readonly root: DomElement
  readonly yield: number
}

/** Changes the tree: for main content, removes everything else. */
function readMainContent(
  document: DomDocument,
  body: DomElement,
  page: ReadPage | undefined,
  { html, format, mainContent }: ExtractInput,
  model: ReaderModel,
): MainContent {
  if (page === undefined) return { root: body, yield: textLength(body) === 0 ? 0 : 1 }
  const main = chooseMainBlocks(page, model)
  if (mainContent) {
    const posts = format === 'text' ? [] : findPosts(body)
    removeUnseen(body)
    pruneBlocks(page, main)
    writeBylines(document, body, posts)
  }
  const isBare = shownSize(page) <= BARE_SIZE && textLength(body) < LOST_CHARACTERS
  const declared = isBare ? declaredText(html, model.declared) : undefined
  return declared === undefined
    ? { root: body, yield: main.yield }
    : { root: bodyOf(parseDocument(declared.html)), yield: declared.yield }
}

function render(root: DomElement, baseUrl: string, format: ContentFormat): string {
  if (format === 'html') return toSafeHtml(root, baseUrl)
  return format === 'text' ? toText(root) : toMarkdown(root, baseUrl)
}

/** The title has its own field, so a heading that adds nothing to it is removed. */
function withoutTitle(root: DomElement, title: string | null): DomElement {
  const [only, second] = root.querySelectorAll('h1')
  if (only !== undefined && second === undefined && only !== root && repeats(only, title))
    only.remove()
  return root
}

function repeats(heading: DomElement, title: string | null): boolean {
  const text = collapse(heading.textContent ?? '')
    .trim()
    .toLowerCase()
  return text === '' || (title !== null && title.toLowerCase().includes(text))
}

/** Hidden links count in menus only, which open by themselves. */
function linksOf(document: DomDocument, baseUrl: string, { boxes, texts }: HiddenText): string[] {
  const links = new Set<string>()
  const unseen = new Set(texts.map(({ parentNode }) => parentNode))
  for (const anchor of document.querySelectorAll('a[href], area[href]')) {
    const isHidden = unseen.has(anchor) || isWithin(anchor, boxes)
    if (isHidden && anchor.closest(MENUS) === null) continue
    const url = absoluteUrl(anchor.getAttribute('href'), baseUrl, /^https?:$/)
    if (url !== undefined) links.add(withoutPosition(url))
    if (links.size >= MAX_LINKS) break
  }
  return [...links]
}
