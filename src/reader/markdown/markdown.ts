import {
  BLOCK_TAGS,
  UNSEEN_TAGS,
  isElement,
  isText,
  type DomElement,
  type DomNode,
} from '../extract/dom.ts'
import { fencedCode, isCodeTable } from './markdown-code.ts'
import { escapeBlockStart, inlineMarkdown, linkTarget } from './markdown-inline.ts'
import { isDataTable, markdownTable } from './markdown-table.ts'
import { MAX_DEPTH, collapse } from '../extract/text.ts'

/**
 * A tree as GitHub-flavored markdown: headings, nested lists, tables, fenced code, absolute links
 * and images.
 */
export function toMarkdown(root: DomNode, baseUrl: string): string {
  return joinBlocks(blocksOf(root, { baseUrl, depth: 0 })).trim()
}

type Context = { baseUrl: string; depth: number }

const joinBlocks = (blocks: readonly string[]): string =>
  blocks.filter((block) => block !== '').join('\n\n')

/** The children of a node as blocks. Inline content between block elements becomes paragraphs. */
function blocksOf(node: DomNode, context: Context): string[] {
  if (context.depth > MAX_DEPTH) return [collapse(node.textContent ?? '').trim()]
  const deeper = { ...context, depth: context.depth + 1 }
  const blocks: string[] = []
  let run: DomNode[] = []
  let isAfterList = false
  const endRun = (): void => {
    const text =
      run.length === 0 ? '' : withItems(escapeBlockStart(inlineMarkdown(run, deeper).trim()))
    if (text !== '') {
      blocks.push(text)
      isAfterList = false
    }
    run = []
  }
  for (const child of node.childNodes) {
    if (isText(child)) run.push(child)
    else if (isElement(child) && !UNSEEN_TAGS.has(child.localName)) {
      if (!holdsBlocks(child)) {
        run.push(child)
        continue
      }
      endRun()
      const isList = LIST_TAGS.test(child.localName)
      for (const block of blockMarkdown(child, deeper))
        blocks.push(isList && isAfterList ? withOtherMarkers(block, blocks.at(-1) ?? '') : block)
      isAfterList = isList
    }
  }
  endRun()
  return blocks.filter((block) => block !== '')
}

/** Lines that begin with a drawn bullet are items of a list. */
function withItems(text: string): string {
  return text.replace(/^[•▪●◦‣∙][ \u00A0\t]*(?=\S)/gmu, '- ').replace(/ {2}\n(?=- )/g, '\n')
}

const LIST_TAGS = /^(ul|ol|menu)$/

/** Writes a list after another one with other markers: with the same markers they would be one. */
function withOtherMarkers(block: string, before: string): string {
  if (block.startsWith('- ') && before.startsWith('- ')) return block.replace(/^- /gm, '* ')
  return /^\d+\. /.test(block) && /^\d+\. /.test(before)
    ? block.replace(/^(\d+)\. /gm, '$1) ')
    : block
}

function blockMarkdown(element: DomElement, context: Context): string[] {
  const tag = element.localName
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(element, Number(tag.slice(1)), context)
    case 'ul':
    case 'ol':
    case 'menu':
      return [list(element, context)]
    case 'pre':
      return [fencedCode(element)]
    case 'table':
      return table(element, context)
    case 'blockquote':
      return [prefixLines(joinBlocks(blocksOf(element, context)), '> ', '>')]
    case 'hr':
      return ['---']
    case 'dl':
      return definitions(element, context)
    case 'li':
      return [item(element, '- ', context)]
    case 'a':
      return linkedBlocks(element, context)
    case 'summary':
      return [`**${inlineMarkdown([...element.childNodes], context).trim()}**`]
    default:
      return blocksOf(element, context)
  }
}

function heading(element: DomElement, level: number, context: Context): string[] {
  // A heading is bold already, and its link to itself is only a handle.
  const text = inlineMarkdown([...element.childNodes], { ...context, isHeading: true })
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('**', '')
    .trim()
  // Trailing number signs would count as closing signs, which are not rendered.
  return text === '' ? [] : [`${'#'.repeat(level)} ${text.replace(/(?<=^| )#+$/, '\\$&')}`]
}

function list(element: DomElement, context: Context): string {
  const isOrdered = element.localName === 'ol'
  let number = numberOf(element, 'start', 1)
  const items: string[] = []
  for (const child of entriesOf(element)) {
    // A list directly in a list is invalid but common: it belongs to the previous item.
    if (isElement(child) && /^[uo]l$/.test(child.localName)) {
      items.push(prefixLines(list(child, context), '  ', ''))
      continue
    }
    number = isElement(child) ? numberOf(child, 'value', number) : number
    const marker = isOrdered ? `${number}. ` : '- '
    const text = isElement(child)
      ? item(child, marker, context)
      : marker + escapeBlockStart(inlineMarkdown([child], context).trim())
    if (text !== '') number += 1
    items.push(text)
  }
  const nonEmpty = items.filter((text) => text !== '')
  const isLoose = nonEmpty.some((text) => /\n\n(?!\s*([-*]|\d+[.)]) )/.test(text))
  return nonEmpty.join(isLoose ? '\n\n' : '\n')
}

/** The visible entries of a list: items, also inside wrappers, and loose text. */
function entriesOf(element: DomElement): DomNode[] {
  const isBox = (node: DomElement) =>
    !/^(li|[uo]l)$/.test(node.localName) &&
    [...node.children].some((child) => child.localName === 'li')
  const shown = (node: DomNode) =>
    isElement(node) ? !UNSEEN_TAGS.has(node.localName) : isText(node) && node.data.trim() !== ''
  return [...element.childNodes]
    .flatMap((node) => (isElement(node) && isBox(node) ? [...node.childNodes] : [node]))
    .filter(shown)
}

/** The attribute as a count from 0, the smallest number of a markdown list; else `otherwise`. */
function numberOf(element: DomElement, name: string, otherwise: number): number {
  const written = element.getAttribute(name)?.trim() ?? ''
  return /^\d{1,9}$/.test(written) ? Number(written) : otherwise
}

function item(element: DomElement, marker: string, context: Context): string {
  const blocks = blocksOf(element, context)
  if (blocks.length === 0) return ''
  const indent = ' '.repeat(marker.length)
  // A nested list directly after its item's text keeps the list tight.
  // "- ---" would be a rule instead of an item with a rule.
  const text = blocks.reduce(
    (before, block) =>
      before === ''
        ? block.replace(/^---$/, '***')
        : `${before}${/^([-*]|\d+[.)]) /.test(block) ? '\n' : '\n\n'}${block}`,
    '',
  )
  return marker + text.replace(/\n(?!\n|$)/g, `\n${indent}`)
}

function definitions(element: DomElement, context: Context): string[] {
  return [...element.children].flatMap((child) => {
    if (child.localName === 'div') return definitions(child, context)
    const blocks = blocksOf(child, context)
    const isPlainTerm =
      child.localName === 'dt' && blocks.length === 1 && !/[*`#\n]/.test(blocks[0] ?? '')
    return isPlainTerm ? [`**${blocks[0]}**`] : blocks
  })
}

function table(element: DomElement, context: Context): string[] {
  if (isCodeTable(element)) return [fencedCode(element)]
  if (!isDataTable(element))
    return [...element.querySelectorAll('caption, td, th')].flatMap((cell) =>
      cell.closest('table') === element ? blocksOf(cell, context) : [],
    )
  return markdownTable(
    element,
    (cell) => blocksOf(cell, context),
    (nodes) => inlineMarkdown(nodes, context),
  )
}

/** A card: a link around a heading and other blocks. The first line of text becomes the link. */
function linkedBlocks(element: DomElement, context: Context): string[] {
  const blocks = blocksOf(element, context)
  const link = linkTarget(element, context.baseUrl)
  const index = blocks.findIndex((block) => /^(#{1,6} )?[^![\]\n|>`-][^[\]\n]*$/.test(block))
  const match = /^(#{1,6} )?(.*)$/.exec(blocks[index] ?? '')
  if (index === -1 || match === null || link === '') return blocks
  return blocks.with(index, `${match[1] ?? ''}[${match[2]}](${link})`)
}

/** Reports whether the element is a block or contains one. */
function holdsBlocks(element: DomElement, depth = 0): boolean {
  if (BLOCK_TAGS.has(element.localName)) return true
  if (depth > MAX_DEPTH || UNSEEN_TAGS.has(element.localName)) return false
  for (const child of element.children) if (holdsBlocks(child, depth + 1)) return true
  return false
}

function prefixLines(text: string, prefix: string, emptyPrefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? emptyPrefix : prefix + line))
    .join('\n')
}
