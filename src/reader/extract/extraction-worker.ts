import { extractContent, type ExtractInput, type Extracted } from './extract.ts'
import { highlightsOf, type Highlight } from './highlights.ts'
import { judgePage, type Verdict } from '../judge/judge.ts'
import { asPage, isMarkdown, isText, isXml } from '../fetch/source-text.ts'
import { readVisibleText } from './visible-text.ts'

/**
 * `status` is the page's own, for the verdict; `highlights` asks for the sentences that say most about a query. With its
 * `contentType`, what is no HTML is read as the text that it is.
 */
export type WorkInput = ExtractInput & {
  status: number
  contentType?: string
  highlights?: { query: string; count: number } | undefined
}
export type WorkRequest = { id: number; input: WorkInput }
export type Extraction = Extracted & { verdict: Verdict; highlights?: Highlight[] }
export type WorkAnswer = { id: number; extraction: Extraction }
/** Once it has started, then the answer to each page. */
export type WorkerMessage = 'ready' | WorkAnswer

const MAX_NESTING = 2_000

process.on('message', (request) => {
  const { id, input } = request as WorkRequest
  const answer: WorkAnswer = { id, extraction: extract(input) }
  process.send?.(answer)
})

// A terminal, or a manager of services, sends these to every process of the gateway, which ends this one when it has no
// more pages. It ends by itself when the gateway has gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

process.send?.('ready')

function extract(input: WorkInput): Extraction {
  const markup = asMarkup(input)
  const extracted = asWritten(input, extractOrStrip(markup))
  const { content, title } = extracted
  const verdict = judgePage({
    html: markup.html,
    content,
    title,
    status: input.status,
    finalUrl: input.url,
  })
  const { highlights } = input
  return {
    ...extracted,
    verdict,
    ...(highlights === undefined
      ? {}
      : { highlights: highlightsOf(content, highlights.query, highlights.count) }),
  }
}

function asMarkup(input: WorkInput): WorkInput {
  const { contentType, html, url } = input
  if (contentType === undefined || !(isText({ contentType, html }) || isXml({ contentType, html })))
    return input
  return { ...input, html: asPage({ contentType, html, url }) }
}

/** What is markdown already stays as it is where that is wanted. */
function asWritten({ contentType, html, url, format }: WorkInput, extracted: Extracted): Extracted {
  if (format !== 'markdown' || contentType === undefined || !isMarkdown({ contentType, html, url }))
    return extracted
  return { ...extracted, content: html, chars: html.length }
}

/** A page nested thousands deep makes every tree slow or breaks it; it still gives its words. */
function extractOrStrip(input: ExtractInput): Extracted {
  if (!isNestedBeyond(input.html, MAX_NESTING)) return extractContent(input)
  const { text, title } = readVisibleText(input.html)
  return {
    title: title === '' ? null : title,
    description: null,
    language: null,
    content: text,
    format: 'text',
    chars: text.length,
  }
}

function isNestedBeyond(html: string, most: number): boolean {
  let depth = 0
  for (const [, close] of html.matchAll(
    /<(\/?)(?:div|span|section|article|b|i|u|em|strong|font|center|a|ul|ol|table|blockquote|small|big|label|form)\b/gi,
  )) {
    depth = Math.max(0, depth + (close === '' ? 1 : -1))
    if (depth > most) return true
  }
  return false
}
