import { escapeHtml } from '../markup.ts'
import { attributeOf, childOf, elementsOf, relationOf, textOf, type XmlElement } from '../xml.ts'
import type { Relations } from './package.ts'

/** A paragraph's inline content, and the blocks that float in it. */
export type Inline = {
  readonly html: string
  /** Text boxes. Their paragraphs follow the paragraph that anchors them. */
  readonly boxes: readonly XmlElement[]
  readonly notes: readonly string[]
  readonly pageBreaks: number
}

type Collected = { html: string; boxes: XmlElement[]; notes: string[]; pageBreaks: number }

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
export function readInline(paragraph: XmlElement, relations: Relations): Inline {
  const found: Collected = { html: '', boxes: [], notes: [], pageBreaks: 0 }
  readRuns(paragraph, relations, found)
  return { ...found, html: mergeEmphasis(found.html) }
}

function readRuns(parent: XmlElement, relations: Relations, into: Collected): void {
  for (const child of elementsOf(parent)) {
    if (SKIPPED.has(child.name)) continue
    if (child.name === 'r' && childOf(child, 'rPr') !== undefined)
      readFormatted(child, relations, into)
    else if (child.name === 'hyperlink') readLink(child, relations, into)
    else readNode(child, relations, into)
  }
}

function readNode(node: XmlElement, relations: Relations, into: Collected): void {
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
      const note = `${node.name === 'footnoteReference' ? 'f' : 'e'}${attributeOf(node, 'id') ?? ''}`
      into.notes.push(note)
      into.html += `<sup>[${escapeHtml(attributeOf(node, 'id') ?? '')}]</sup>`
      break
    }
    case 'txbxContent':
      into.boxes.push(node)
      break
    default:
      readRuns(node, relations, into)
  }
}

function readFormatted(run: XmlElement, relations: Relations, into: Collected): void {
  const format = childOf(run, 'rPr')
  const isOn = (name: string): boolean => {
    const property = childOf(format, name)
    return (
      property !== undefined && !/^(0|false|off|none)$/.test(attributeOf(property, 'val') ?? 'true')
    )
  }
  if (isOn('vanish')) return
  const inner: Collected = { ...into, html: '' }
  readRuns(run, relations, inner)
  into.pageBreaks = inner.pageBreaks
  const tags = [
    ...(isOn('b') ? ['strong'] : []),
    ...(isOn('i') ? ['em'] : []),
    ...(isOn('strike') || isOn('dstrike') ? ['del'] : []),
  ]
  const isBlank = inner.html.trim() === ''
  into.html += isBlank
    ? inner.html
    : tags.reduceRight((html, tag) => `<${tag}>${html}</${tag}>`, inner.html)
}

function readLink(link: XmlElement, relations: Relations, into: Collected): void {
  const relation = relations.get(relationOf(link) ?? '')
  const inner: Collected = { ...into, html: '' }
  readRuns(link, relations, inner)
  into.pageBreaks = inner.pageBreaks
  into.html +=
    relation?.isExternal === true && inner.html !== ''
      ? `<a href="${escapeHtml(relation.target)}">${inner.html}</a>`
      : inner.html
}

/** Word splits words into runs of one format: "<strong>a</strong><strong>b</strong>". */
function mergeEmphasis(html: string): string {
  return html.replace(/<\/(strong|em|del)>(\s*)<\1>/g, '$2')
}
