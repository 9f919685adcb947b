import { declaredText } from './declared-text.ts'
import { extractContent, type ExtractInput, type Extracted } from './extract.ts'
import { highlightsOf, type Highlight } from './highlights.ts'
import { NO_FIELDS } from '../embedded/page-fields.ts'
import { TreeTooLarge } from '../dom/parse-html.ts'
import { judgePage, type Verdict } from '../judge/judge.ts'
import { feedPage } from '../fetch/feed-items.ts'
import { asPage, isMarkdown, isText, isXml } from '../fetch/source-text.ts'
import { selectParts, type PageParts } from './select-parts.ts'
import { readVisibleText } from './visible-text.ts'

/**
 * `status` is the page's own, for the verdict. `highlights` requests the sentences that best match
 * a query. With a `contentType` other than HTML, the source is read as text.
 */
export type WorkInput = ExtractInput & {
  status: number
  contentType?: string
  /** Reads only parts of the page. The verdict is on the whole page. */
  parts?: PageParts | undefined
  highlights?: { query: string; count: number } | undefined
}
export type WorkRequest = { id: number; input: WorkInput }
export type Extraction = Extracted & { verdict: Verdict; highlights?: Highlight[] }
export type WorkAnswer = { id: number; extraction: Extraction }
/** `ready` once after the start, then one answer per page. */
export type WorkerMessage = 'ready' | WorkAnswer

/** All visible text, with menus and footers. */
const STRIPPED_YIELD = 0.5

process.on('message', (request) => {
  const { id, input } = request as WorkRequest
  const answer: WorkAnswer = { id, extraction: extract(input) }
  process.send?.(answer)
})

// A terminal or service manager sends these signals to every process of the gateway. The gateway
// ends this process when it has no more pages, and this process exits when the gateway does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

process.send?.('ready')

function extract(input: WorkInput): Extraction {
  const markup = asMarkup(input)
  const whole = orEmbedded(markup, judged(markup, asWritten(input, extractOrStrip(markup))))
  const { highlights, parts } = input
  const read = parts === undefined ? whole : { ...whole, ...extractParts(markup, parts) }
  return {
    ...read,
    ...(highlights === undefined
      ? {}
      : { highlights: highlightsOf(read.content, highlights.query, highlights.count) }),
  }
}

/** A page beyond the limits of a tree has no elements to select, so it is empty. */
function extractParts(input: WorkInput, parts: PageParts): Pick<Extracted, 'content' | 'chars'> {
  try {
    const { content, chars } = extractContent({
      ...input,
      html: selectParts(input.html, parts, input.hiddenMark),
      mainContent: input.mainContent && parts.include === undefined,
    })
    return { content, chars }
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error
    return { content: '', chars: 0 }
  }
}

function judged({ html, status, url }: WorkInput, extracted: Extracted): Extraction {
  const { content, title, yield: contentYield } = extracted
  const verdict = judgePage({ html, content, title, status, finalUrl: url, contentYield })
  return { ...extracted, verdict }
}

/** The content that an empty application states in its data, if the judge accepts it. */
function orEmbedded(input: WorkInput, read: Extraction): Extraction {
  const { flags, reason } = read.verdict
  const isShell = reason === 'empty_shell' || reason === 'needs_javascript'
  const embedded = flags.length > 0 && isShell ? declaredText(input.html) : undefined
  if (embedded === undefined) return read
  const { content, chars } = extractContent({ ...input, html: embedded.html, mainContent: false })
  const { title } = read
  const verdict = judgePage({
    content,
    title,
    status: input.status,
    finalUrl: input.url,
    contentYield: embedded.yield,
  })
  return verdict.flags.length > 0
    ? read
    : { ...read, content, chars, format: input.format, yield: embedded.yield, verdict }
}

function asMarkup(input: WorkInput): WorkInput {
  const { contentType, html, url } = input
  if (contentType === undefined || !(isText({ contentType, html }) || isXml({ contentType, html })))
    return input
  const feed = isXml({ contentType, html }) ? feedPage(html) : undefined
  return feed === undefined
    ? { ...input, html: asPage({ contentType, html, url }), isContent: true }
    : { ...input, html: feed, mainContent: false, isContent: true }
}

/** A markdown source is returned unchanged when markdown is requested. */
function asWritten({ contentType, html, url, format }: WorkInput, extracted: Extracted): Extracted {
  if (format !== 'markdown' || contentType === undefined || !isMarkdown({ contentType, html, url }))
    return extracted
  return { ...extracted, content: html, chars: html.length }
}

/** A page beyond the limits of a tree yields only its words. */
function extractOrStrip(input: ExtractInput): Extracted {
  try {
    return extractContent(input)
  } catch (error) {
    if (!(error instanceof TreeTooLarge)) throw error
  }
  const { text, title } = readVisibleText(input.html)
  return {
    title: title === '' ? null : title,
    description: null,
    language: null,
    fields: NO_FIELDS,
    content: text,
    format: 'text',
    chars: text.length,
    yield: STRIPPED_YIELD,
  }
}
