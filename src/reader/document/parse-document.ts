import { extractContent } from '../extract/extract.ts'
import { openArchive } from './archive.ts'
import { cutText } from './cut-text.ts'
import { detectKind } from './detect.ts'
import {
  DocumentFault,
  type OpenDocument,
  type ParseRequest,
  type ReadDocument,
} from './document.ts'
import { openEmail } from './email.ts'
import { openEpub } from './epub.ts'
import { openDocx } from './office/docx.ts'
import { openPptx } from './office/pptx.ts'
import { openXlsx } from './office/xlsx.ts'
import { openPdf } from './pdf/pdf.ts'

/** Relative links of a document lead nowhere. */
const NO_BASE = 'about:blank'

/**
 * Reads a document as Markdown, page by page, until `maxPages` or `maxChars`. Throws DocumentFault
 * for a document without readable text.
 */
export async function parseDocument(request: ParseRequest): Promise<ReadDocument> {
  const document = await openDocument(request)
  const { parts, kind, metadata, unit, pageCount, email } = document
  const texts: string[] = []
  let chars = 0
  let pagesRead = 0
  let isTruncated = false
  for await (const html of parts) {
    if (pagesRead >= request.maxPages || chars >= request.maxChars) {
      isTruncated = true
      break
    }
    pagesRead += 1
    const text = toMarkdown(html)
    if (text === '') continue
    texts.push(text)
    chars += text.length + 2
  }
  const whole = texts.join('\n\n')
  if (!/[\p{L}\p{N}]/u.test(whole))
    throw new DocumentFault('without_text', 'The document has no text.')
  const markdown = cutText(whole, request.maxChars)
  return {
    kind,
    metadata,
    unit,
    pageCount,
    pagesRead:
      unit === null ? null : pageCount === null ? pagesRead : Math.min(pagesRead, pageCount),
    markdown,
    isTruncated:
      isTruncated ||
      document.isCut?.() === true ||
      markdown.length < whole.length ||
      (kind === 'pdf' && pageCount !== null && pagesRead < pageCount),
    omitted: document.omitted?.() ?? [],
    ...(email === undefined ? {} : { email }),
  }
}

async function openDocument(request: ParseRequest): Promise<OpenDocument> {
  const { bytes } = request
  const kind = detectKind(request)
  if (kind === 'pdf') return openPdf(bytes, request)
  if (kind === 'email') return openEmail(bytes)
  const archive = openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (kind === 'docx') return openDocx(archive)
  if (kind === 'xlsx') return openXlsx(archive, request.maxChars)
  return kind === 'pptx' ? openPptx(archive) : openEpub(archive)
}

function toMarkdown(html: string): string {
  if (html.trim() === '') return ''
  return extractContent({
    html: `<!doctype html><html><body>${html}</body></html>`,
    url: NO_BASE,
    format: 'markdown',
    mainContent: false,
    isContent: true,
  }).content.trim()
}
