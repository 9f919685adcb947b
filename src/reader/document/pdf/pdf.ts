import {
  DocumentFault,
  orNull,
  type DocumentLimits,
  type DocumentMetadata,
  type OpenDocument,
} from '../document.ts'
import { rowsToHtml } from './blocks.ts'
import { orderRows } from './columns.ts'
import { loadPdfLibrary, type OutlineItem, type PdfFile, type PdfLibrary } from './pdf-library.ts'
import { taggedToHtml } from './tagged.ts'
import { isHeadingSize, normalizeTitle, type Typography } from './typography.ts'
import { readPageText, textOfRow, type PageText, type Row } from './rows.ts'

/** The parts of a page's height where headers and footers stand. */
const MARGIN = 0.12
const MIN_REPEATS = 3
const MAX_OUTLINE_ITEMS = 5_000
/** A page of a scan may have a stamp or a number as text. */
const SCAN_CHARS = 10
/** Pages that a count may begin before the first page or skip: a cover, a preface. */
const MOST_PAGES_BEFORE = 50
const MOST_NUMBERS = 4
const PAGE_NUMBER = /^\W*(page |seite |p\. ?)?(\d{1,5}|[ivxlc]{1,6})( ?(of|von|\/) ?\d{1,5})?\W*$/i

/**
 * Opens a PDF. Reads the pages up to the limits first, because the sizes of headings and the
 * repeated lines are known only then. Each part is one page.
 */
export async function openPdf(bytes: Uint8Array, limits: DocumentLimits): Promise<OpenDocument> {
  const library = await loadPdfLibrary()
  const file = await open(library, bytes)
  const pages = await readPages(file, limits)
  await rejectScan(library, file, pages)
  const [metadata, outline] = await Promise.all([readMetadata(file), readOutline(file)])
  const cleaned = dropRepeated(pages)
  const typography = typographyOf(cleaned, outline)
  function* parts(): Generator<string> {
    for (const { rows, tagged } of cleaned)
      yield tagged === undefined
        ? rowsToHtml(orderRows(rows), typography)
        : taggedToHtml(tagged, typography)
  }
  return {
    kind: 'pdf',
    metadata: { ...metadata, title: metadata.title ?? titleOf(cleaned[0], typography) },
    unit: 'page',
    pageCount: file.numPages,
    parts: parts(),
  }
}

async function open(library: PdfLibrary, bytes: Uint8Array): Promise<PdfFile> {
  try {
    return await library.getDocument({
      data: new Uint8Array(bytes),
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
      verbosity: 0,
    }).promise
  } catch (error) {
    const isProtected = error instanceof Error && error.name === 'PasswordException'
    throw isProtected
      ? new DocumentFault('encrypted', 'The document is protected by a password.')
      : new DocumentFault('broken', 'The PDF is damaged or incomplete.')
  }
}

/** A damaged page reads as empty. Stops when the pages have more text than the call returns. */
async function readPages(
  file: PdfFile,
  { maxPages, maxChars }: DocumentLimits,
): Promise<PageText[]> {
  const pages: PageText[] = []
  let chars = 0
  for (
    let number = 1;
    number <= Math.min(maxPages, file.numPages) && chars <= maxChars;
    number += 1
  ) {
    const page = await file.getPage(number).catch(() => undefined)
    const text = await (page === undefined ? undefined : readPageText(page).catch(() => undefined))
    page?.cleanup()
    pages.push(text ?? { height: 0, rows: [] })
    chars += charsOf(pages.at(-1))
  }
  return pages
}

function charsOf(page: PageText | undefined): number {
  return page?.rows.reduce((sum, row) => sum + textOfRow(row).length, 0) ?? 0
}

/** Throws DocumentFault for pages that are images. */
async function rejectScan(
  { OPS }: PdfLibrary,
  file: PdfFile,
  pages: readonly PageText[],
): Promise<void> {
  const chars = pages.reduce((sum, page) => sum + charsOf(page), 0)
  if (chars > SCAN_CHARS * pages.length) return
  const images = new Set([
    OPS['paintImageXObject'],
    OPS['paintInlineImageXObject'],
    OPS['paintImageMaskXObject'],
  ])
  const first = await file.getPage(1).catch(() => undefined)
  const operators = await first?.getOperatorList().catch(() => undefined)
  const hasImages = operators?.fnArray.some((operator) => images.has(operator)) === true
  if (chars === 0 || hasImages)
    throw new DocumentFault(
      'without_text',
      hasImages
        ? 'The pages are images without text, as scanners produce them.'
        : 'The document has no text.',
    )
}

async function readMetadata(file: PdfFile): Promise<DocumentMetadata> {
  const found = await file.getMetadata().catch(() => undefined)
  const text = (name: string): string | null => {
    const value = found?.info[name]
    return typeof value === 'string' ? orNull(value) : null
  }
  return {
    title: text('Title'),
    author: text('Author'),
    created_at: toPdfTime(text('CreationDate')),
    modified_at: toPdfTime(text('ModDate')),
    language: text('Language'),
  }
}

/** "D:20250208122313+01'00'" as RFC 3339. */
function toPdfTime(text: string | null): string | null {
  const found =
    /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:Z|([+-])(\d{2})'?(\d{2})?)?/.exec(
      text ?? '',
    )
  if (found === null) return null
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign = '+',
    zoneHour = '00',
    zoneMinute = '00',
  ] = found
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${sign}${zoneHour}:${zoneMinute}`,
  )
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}

async function readOutline(file: PdfFile): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>()
  const add = (items: readonly OutlineItem[], level: number): void => {
    for (const { title, items: inner } of items) {
      if (levels.size >= MAX_OUTLINE_ITEMS) return
      const name = normalizeTitle(title)
      if (name !== '' && !levels.has(name)) levels.set(name, level)
      add(inner, Math.min(6, level + 1))
    }
  }
  add((await file.getOutline().catch(() => null)) ?? [], 1)
  return levels
}

/** Removes page numbers, and the headers and footers that many pages have. */
function dropRepeated(pages: readonly PageText[]): PageText[] {
  const isInMargin = ({ y }: Row, height: number): boolean =>
    y < height * MARGIN || y > height * (1 - MARGIN)
  const namesOf = (row: Row, page: number): string[] =>
    withoutPageNumber(textOfRow(row), page, pages.length).map((text) => `${row.size}/${text}`)
  const seen = new Map<string, number>()
  for (const [page, { rows, height }] of pages.entries()) {
    const inMargin = rows.filter((row) => isInMargin(row, height))
    for (const name of new Set(inMargin.flatMap((row) => namesOf(row, page))))
      seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  const enough = Math.max(MIN_REPEATS, pages.length * 0.3)
  return pages.map(({ rows, ...page }, index) => ({
    ...page,
    rows: rows.filter(
      (row) =>
        !isInMargin(row, page.height) ||
        (!PAGE_NUMBER.test(textOfRow(row)) &&
          namesOf(row, index).every((name) => (seen.get(name) ?? 0) < enough)),
    ),
  }))
}

/**
 * The text, and the text with one number each as its distance from the page's own. Other
 * numbers are content: an invoice has its own on each page.
 */
function withoutPageNumber(text: string, page: number, pageCount: number): string[] {
  const total = new RegExp(`\\b${pageCount}\\b(?!.*\\d)`)
  return [...new Set([text, text.replace(total, '#')])].flatMap((whole) => [
    whole,
    ...[...whole.matchAll(/\d+/g)]
      .filter(([digits]) => Math.abs(Number(digits) - page) <= MOST_PAGES_BEFORE)
      .slice(0, MOST_NUMBERS)
      .map(
        ({ 0: digits, index }) =>
          `${whole.slice(0, index)}#${Number(digits) - page}${whole.slice(index + digits.length)}`,
      ),
  ])
}

function typographyOf(
  pages: readonly PageText[],
  outline: ReadonlyMap<string, number>,
): Typography {
  const rows = pages.flatMap((page) => page.rows)
  const letters = new Map<number, number>()
  for (const row of rows)
    letters.set(row.size, (letters.get(row.size) ?? 0) + textOfRow(row).length)
  const bodySize = [...letters].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
  const sizes = new Set(rows.filter((row) => isHeadingSize(row, bodySize)).map(({ size }) => size))
  return { bodySize, headingSizes: [...sizes].sort((one, other) => other - one), outline }
}

/** The first of the largest text on the first page. */
function titleOf(page: PageText | undefined, { bodySize }: Typography): string | null {
  const rows = page?.rows ?? []
  const largest = Math.max(0, ...rows.map(({ size }) => size))
  if (largest < bodySize * 1.12) return null
  const first = rows.findIndex(({ size }) => size === largest)
  const lines = rows
    .slice(first)
    .filter(
      ({ size }, index, all) =>
        size === largest &&
        all
          .slice(0, index)
          .every((row, at) => row.size === largest && (all[at + 1]?.y ?? 0) - row.y < largest * 2),
    )
  return orNull(lines.map(textOfRow).join(' '))
}
