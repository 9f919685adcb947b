import { parentPort } from 'node:worker_threads'
import { extractContent, type ExtractInput, type Extracted } from './extract.ts'
import { highlightsOf, type Highlight } from './highlights.ts'
import { judgePage, type Verdict } from './judge.ts'
import { readVisibleText } from './visible-text.ts'

/** `status` is the page's own, for the verdict; `highlights` asks for the sentences that say most about a query. */
export type WorkInput = ExtractInput & { status: number; highlights?: { query: string; count: number } | undefined }
export type WorkRequest = { id: number; input: WorkInput }
export type Extraction = Extracted & { verdict: Verdict; highlights?: Highlight[] }
export type WorkAnswer = { id: number; extraction: Extraction }

const MAX_NESTING = 2_000

parentPort?.on('message', ({ id, input }: WorkRequest) => {
  const answer: WorkAnswer = { id, extraction: extract(input) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  parentPort?.postMessage(answer)
})

function extract(input: WorkInput): Extraction {
  const extracted = extractOrStrip(input)
  const { content, title } = extracted
  const verdict = judgePage({ html: input.html, content, title, status: input.status, finalUrl: input.url })
  const { highlights } = input
  return { ...extracted, verdict, ...(highlights === undefined ? {} : { highlights: highlightsOf(content, highlights.query, highlights.count) }) }
}

/** A page nested thousands deep makes every tree slow or breaks it; it still gives its words. */
function extractOrStrip(input: ExtractInput): Extracted {
  if (!isNestedBeyond(input.html, MAX_NESTING)) return extractContent(input)
  const { text, title } = readVisibleText(input.html)
  return { title: title === '' ? null : title, description: null, language: null, content: text, format: 'text', chars: text.length }
}

function isNestedBeyond(html: string, most: number): boolean {
  let depth = 0
  for (const [, close] of html.matchAll(/<(\/?)(?:div|span|section|article|b|i|u|em|strong|font|center|a|ul|ol|table|blockquote|small|big|label|form)\b/gi)) {
    depth = Math.max(0, depth + (close === '' ? 1 : -1))
    if (depth > most) return true
  }
  return false
}
