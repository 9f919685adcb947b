import { escapeHtml } from '../markup.ts'
import { attributeOf, childOf, childrenOf, relationOf, textOf, type XmlElement } from '../xml.ts'
import { FIELD_URL, withFieldLinks } from './docx-fields.ts'
import type { Notes } from './docx-notes.ts'
import type { Styles } from './docx-styles.ts'
import { ommlToMathml } from './omml.ts'
import type { Relations } from './package.ts'
import { isOn } from './properties.ts'

/** A paragraph's inline content, and the blocks that float in it. */
export type Inline = {
  readonly html: string
  /** Text boxes. Their paragraphs follow the paragraph that anchors them. */
  readonly boxes: readonly XmlElement[]
  readonly pageBreaks: number
}

export type InlineDeps = {
  readonly relations: Relations
  readonly styles: Styles
  readonly notes: Notes
}
type Context = InlineDeps & { readonly paragraph: XmlElement }
type Collected = { html: string; boxes: XmlElement[]; pageBreaks: number }

/** Content that Word shows elsewhere or not at all: deleted text, field codes, fallback copies. */
const SKIPPED = new Set([
  'del',
  'moveFrom',
  'instrText',
  'delText',
  'Fallback',
  'pPr',
  'rPr',
  'tbl',
])

/** Reads the runs of a paragraph: text, emphasis, links, line breaks and references to notes. */
export function readInline(paragraph: XmlElement, deps: InlineDeps): Inline {
  const found: Collected = { html: '', boxes: [], pageBreaks: 0 }
  readRuns(paragraph, { ...deps, paragraph }, found)
  return { ...found, html: mergeEmphasis(found.html) }
}

function readRuns(parent: XmlElement, context: Context, into: Collected): void {
  for (const child of withFieldLinks(parent)) {
    if (SKIPPED.has(child.name)) continue
    if (child.name === 'r' && context.styles.isHidden(child, context.paragraph)) continue
    if (child.name === 'r' && childOf(child, 'rPr') !== undefined)
      readFormatted(child, context, into)
    else if (child.name === 'hyperlink') readLink(child, context, into)
    else readNode(child, context, into)
  }
}

function readNode(node: XmlElement, context: Context, into: Collected): void {
  switch (node.name) {
    case 't':
      into.html += escapeHtml(textOf(node))
      break
    case 'tab':
    case 'ptab':
      into.html += ' '
      break
    case 'noBreakHyphen':
      into.html += '-'
      break
    case 'br':
      if (attributeOf(node, 'type') === 'page') into.pageBreaks += 1
      else into.html += '<br>'
      break
    case 'lastRenderedPageBreak':
      into.pageBreaks += 1
      break
    case 'footnoteReference':
    case 'endnoteReference': {
      const label = context.notes.refer(node)
      if (label !== '') into.html += `<sup>[${escapeHtml(label)}]</sup>`
      break
    }
    case 'oMath':
      into.html += ommlToMathml(node, false)
      break
    case 'oMathPara':
      into.html += childrenOf(node, 'oMath')
        .map((math) => ommlToMathml(math, true))
        .join(' ')
      break
    case 'txbxContent':
      into.boxes.push(node)
      break
    default:
      readRuns(node, context, into)
  }
}

function readFormatted(run: XmlElement, context: Context, into: Collected): void {
  const format = childOf(run, 'rPr')
  const inner: Collected = { ...into, html: '' }
  readRuns(run, context, inner)
  into.pageBreaks = inner.pageBreaks
  const tags = [
    ...(isOn(childOf(format, 'b')) ? ['strong'] : []),
    ...(isOn(childOf(format, 'i')) ? ['em'] : []),
    ...(isOn(childOf(format, 'strike')) || isOn(childOf(format, 'dstrike')) ? ['del'] : []),
  ]
  const isBlank = inner.html.trim() === ''
  into.html += isBlank
    ? inner.html
    : tags.reduceRight((html, tag) => `<${tag}>${html}</${tag}>`, inner.html)
}

function readLink(link: XmlElement, context: Context, into: Collected): void {
  const relation = context.relations.get(relationOf(link) ?? '')
  const url = relation?.isExternal === true ? relation.target : attributeOf(link, FIELD_URL)
  const inner: Collected = { ...into, html: '' }
  readRuns(link, context, inner)
  into.pageBreaks = inner.pageBreaks
  into.html +=
    url !== undefined && inner.html !== ''
      ? `<a href="${escapeHtml(url)}">${inner.html}</a>`
      : inner.html
}

/** Word splits words into runs of one format: "<strong>a</strong><strong>b</strong>". */
function mergeEmphasis(html: string): string {
  return html.replace(/<\/(strong|em|del)>(\s*)<\1>/g, '$2')
}
