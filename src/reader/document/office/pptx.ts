import type { Archive } from '../archive.ts'
import { DocumentFault, type OpenDocument } from '../document.ts'
import { element, escapeHtml, heading, nestedLists, table, type ListItem } from '../markup.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsOf,
  findAll,
  pathOf,
  relationOf,
  textOf,
  type XmlElement,
} from '../xml.ts'
import {
  mainPart,
  readOfficeMetadata,
  readPart,
  readRelations,
  relatedPart,
  unreadParts,
  type Relations,
} from './package.ts'

/** Placeholders with content of every slide. */
const REPEATED = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])

/** In hundredths of a point. */
const UNREADABLE_SIZE = 100

/**
 * Opens a PowerPoint presentation. Each part is one slide: title, text, tables and notes. A hidden
 * slide is an empty part, so the others keep their numbers.
 */
export function openPptx(archive: Archive): OpenDocument {
  const part = mainPart(archive, 'ppt/presentation.xml')
  const relations = readRelations(archive, part)
  const slides = childrenOf(childOf(readPart(archive, part), 'sldIdLst'), 'sldId')
    .map((slide) => relations.get(relationOf(slide) ?? '')?.target)
    .filter((target) => target !== undefined)
  if (slides.length === 0)
    throw new DocumentFault('broken', 'The presentation is damaged: it has no slides.')
  let hasHidden = false
  function* parts(): Generator<string> {
    for (const slide of slides) {
      const root = readPart(archive, slide)
      const isLeftOut = isOff(attributeOf(root, 'show'))
      hasHidden ||= isLeftOut
      yield isLeftOut ? '' : slideToHtml(archive, slide, root)
    }
  }
  return {
    kind: 'pptx',
    metadata: readOfficeMetadata(archive),
    unit: 'slide',
    pageCount: slides.length,
    parts: parts(),
    omitted: () => [...unreadParts(archive), ...(hasHidden ? ['hidden slides'] : [])],
  }
}

function slideToHtml(archive: Archive, part: string, root: XmlElement | undefined): string {
  const relations = readRelations(archive, part)
  const tree = pathOf(root, 'cSld', 'spTree')
  if (tree === undefined) return ''
  const shapes = shapesOf(tree)
  const titles = shapes.filter((shape) => /^(ctrT|t)itle$/.test(placeholderOf(shape) ?? ''))
  const title = titles
    .map((shape) => plainText(shape))
    .filter((text) => text !== '')
    .join(' ')
  const body = shapes.filter((shape) => !titles.includes(shape))
  const notes = notesToHtml(archive, relations)
  return [
    heading(2, escapeHtml(title)),
    ...body.map((shape) => shapeToHtml(shape, relations)),
    notes,
  ]
    .filter((html) => html !== '')
    .join('\n')
}

const isOff = (value = ''): boolean => /^(0|false)$/.test(value)

/** Whether the author has hidden a shape, a group or a frame. */
function isHidden(shape: XmlElement): boolean {
  return elementsOf(shape).some((part) =>
    /^(1|true)$/.test(attributeOf(childOf(part, 'cNvPr'), 'hidden') ?? ''),
  )
}

/** The visible shapes of a slide, those of groups in their place. */
function shapesOf(tree: XmlElement): XmlElement[] {
  const shown = elementsOf(tree).filter((child) => !isHidden(child))
  return shown.flatMap((child) =>
    child.name === 'grpSp'
      ? shapesOf(child)
      : child.name === 'AlternateContent'
        ? shapesOf(childOf(child, 'Choice') ?? child)
        : [child],
  )
}

/** The kind of placeholder; "" for a plain one, undefined for a free shape. */
function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = pathOf(shape, 'nvSpPr', 'nvPr', 'ph')
  return placeholder === undefined ? undefined : (attributeOf(placeholder, 'type') ?? '')
}

function shapeToHtml(shape: XmlElement, relations: Relations): string {
  if (shape.name === 'graphicFrame')
    return findAll(shape, 'tbl')
      .map((one) => tableToHtml(one, relations))
      .join('')
  const kind = placeholderOf(shape)
  if (shape.name !== 'sp' || (kind !== undefined && REPEATED.has(kind))) return ''
  return bodyToHtml(
    childOf(shape, 'txBody'),
    relations,
    kind === '' || kind === 'body' || kind === 'obj',
  )
}

/** Paragraphs of a content placeholder are items, unless the slide turns its bullets off. */
function bodyToHtml(
  body: XmlElement | undefined,
  relations: Relations,
  hasBullets: boolean,
): string {
  const out: string[] = []
  let items: ListItem[] = []
  const endList = (): void => {
    out.push(nestedLists(items))
    items = []
  }
  for (const paragraph of childrenOf(body, 'p')) {
    const html = paragraphToHtml(paragraph, relations)
    if (html.trim() === '') continue
    const format = childOf(paragraph, 'pPr')
    const isOrdered = childOf(format, 'buAutoNum') !== undefined
    const isItem =
      isOrdered ||
      childOf(format, 'buChar') !== undefined ||
      (hasBullets && childOf(format, 'buNone') === undefined)
    if (isItem) items.push({ level: Number(attributeOf(format, 'lvl') ?? 0) || 0, isOrdered, html })
    else {
      endList()
      out.push(element('p', html))
    }
  }
  endList()
  return out.filter((html) => html !== '').join('\n')
}

function paragraphToHtml(paragraph: XmlElement, relations: Relations): string {
  return elementsOf(paragraph)
    .map((child) => {
      if (child.name === 'br') return '<br>'
      if (child.name !== 'r' && child.name !== 'fld') return ''
      const size = Number(attributeOf(childOf(child, 'rPr'), 'sz') ?? Number.NaN)
      if (size <= UNREADABLE_SIZE) return ''
      const text = escapeHtml(textOf(childOf(child, 't')))
      const link = pathOf(child, 'rPr', 'hlinkClick')
      const relation = relations.get(relationOf(link) ?? '')
      return relation?.isExternal === true && text.trim() !== ''
        ? `<a href="${escapeHtml(relation.target)}">${text}</a>`
        : text
    })
    .join('')
}

function tableToHtml(block: XmlElement, relations: Relations): string {
  return table(
    childrenOf(block, 'tr').map((row) =>
      childrenOf(row, 'tc')
        .filter(
          (cell) =>
            !/^(1|true)$/.test(attributeOf(cell, 'hMerge') ?? '') &&
            !/^(1|true)$/.test(attributeOf(cell, 'vMerge') ?? ''),
        )
        .map((cell) => ({
          html: bodyToHtml(childOf(cell, 'txBody'), relations, false),
          across: Math.max(1, Number(attributeOf(cell, 'gridSpan') ?? 1) || 1),
          down: Math.max(1, Number(attributeOf(cell, 'rowSpan') ?? 1) || 1),
        })),
    ),
  )
}

function notesToHtml(archive: Archive, relations: Relations): string {
  const part = relatedPart(relations, 'notesSlide')
  const tree = part === undefined ? undefined : pathOf(readPart(archive, part), 'cSld', 'spTree')
  if (tree === undefined) return ''
  const notes = shapesOf(tree)
    .filter((shape) => placeholderOf(shape) === 'body')
    .map((shape) => bodyToHtml(childOf(shape, 'txBody'), new Map(), false))
    .join('\n')
  return notes.trim() === '' ? '' : `<p>Notes:</p>\n<blockquote>${notes}</blockquote>`
}

function plainText(shape: XmlElement): string {
  return childrenOf(childOf(shape, 'txBody'), 'p')
    .map((paragraph) => findAll(paragraph, 't').map(textOf).join(''))
    .join(' ')
    .trim()
}
