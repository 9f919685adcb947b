import { element, escapeHtml, heading, table } from '../markup.ts'
import type { StructureNode } from './pdf-library.ts'
import { idsOf, MAX_DEPTH, type TaggedPage } from './tagged-content.ts'
import { headingLevel, type Typography } from './typography.ts'

type Child = NonNullable<StructureNode['children']>[number]

/** Roles that always begin a new block. */
const BLOCKS = new Set(
  'P Div Sect Art Part Document Root BlockQuote Caption Note TOC TOCI Table L LI LBody Figure Aside Title Index H H1 H2 H3 H4 H5 H6'.split(
    ' ',
  ),
)

/** A tagged page as HTML. */
export function taggedToHtml({ tree, texts }: TaggedPage, typography: Typography): string {
  const inline = (node: StructureNode, depth = 0): string =>
    depth > MAX_DEPTH
      ? ''
      : (node.children ?? [])
          .map((child) =>
            'role' in child
              ? `${inline(child, depth + 1)}${BLOCKS.has(child.role) ? ' ' : ''}`
              : (texts.get(child.id ?? '')?.text ?? ''),
          )
          .join('')
  const plain = (node: StructureNode): string => inline(node).replace(/\s+/g, ' ').trim()
  const sizeOf = (node: StructureNode): number =>
    Math.max(0, ...idsOf(node).map((id) => texts.get(id)?.size ?? 0))

  function paragraph(node: StructureNode): string {
    const text = plain(node)
    const ids = idsOf(node).filter((id) => (texts.get(id)?.text.trim() ?? '') !== '')
    const isMonospace = ids.length > 0 && ids.every((id) => texts.get(id)?.isMonospace === true)
    const row = { y: 0, size: sizeOf(node), isMonospace, segments: [{ x: 0, right: 0, text }] }
    const level = headingLevel(row, typography)
    if (level !== undefined) return heading(level, escapeHtml(text))
    return element(
      'p',
      isMonospace && text !== '' ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text),
    )
  }

  function cellsOf(node: StructureNode): StructureNode[] {
    return elementsOf(node).flatMap((child) =>
      child.role === 'TH' || child.role === 'TD' ? [child] : cellsOf(child),
    )
  }
  function rowsOf(node: StructureNode): StructureNode[] {
    return elementsOf(node).flatMap((child) => (child.role === 'TR' ? [child] : rowsOf(child)))
  }

  function items(node: StructureNode, depth: number): string {
    const written = elementsOf(node).map((item) => {
      if (item.role === 'L') return items(item, depth + 1)
      const lists = elementsOf(item).flatMap((part) =>
        part.role === 'L' ? [part] : elementsOf(part).filter(({ role }) => role === 'L'),
      )
      const own = withoutLists(item)
      return `<li>${escapeHtml(plain(own).replace(/^[•▪◦‣∙●○■□–-]\s*/, ''))}${lists.map((list) => items(list, depth + 1)).join('')}</li>`
    })
    const isOrdered = /^\(?\d+[.)]/.test(plain(node))
    return isOrdered
      ? `<ol>${written.map((item) => item.replace(/^<li>\(?\d+[.)]\s*/, '<li>')).join('')}</ol>`
      : `<ul>${written.join('')}</ul>`
  }

  function write(node: StructureNode, depth: number): string {
    if (depth > MAX_DEPTH) return ''
    const { role } = node
    const level = /^H([1-6])?$/.exec(role)
    if (level !== null) return heading(Number(level[1] ?? 2), escapeHtml(plain(node)))
    if (role === 'Title') return heading(1, escapeHtml(plain(node)))
    if (role === 'Table')
      return table(
        rowsOf(node).map((row) => cellsOf(row).map((cell) => ({ html: escapeHtml(plain(cell)) }))),
      )
    if (role === 'L') return items(node, depth)
    if (role === 'Figure') return element('p', escapeHtml(plain(node) || (node.alt ?? '')))
    if (role === 'TOC')
      return rowsOfContents(node)
        .map((one) => element('p', escapeHtml(plain(one))))
        .join('\n')
    return hasBlocks(node, depth) ? writeChildren(node, depth) : paragraph(node)
  }

  /** Text and inline elements between blocks become paragraphs. */
  function writeChildren(node: StructureNode, depth: number): string {
    const out: string[] = []
    let run: Child[] = []
    const endRun = (): void => {
      if (run.length > 0) out.push(paragraph({ role: 'P', children: run }))
      run = []
    }
    for (const child of node.children ?? []) {
      if (!('role' in child) || !isBlock(child, depth)) run.push(child)
      else {
        endRun()
        out.push(write(child, depth + 1))
      }
    }
    endRun()
    return out.join('\n')
  }

  return write(tree, 0)
}

function isBlock(node: StructureNode, depth: number): boolean {
  return BLOCKS.has(node.role) || hasBlocks(node, depth + 1)
}

function hasBlocks(node: StructureNode, depth: number): boolean {
  return depth <= MAX_DEPTH && elementsOf(node).some((child) => isBlock(child, depth + 1))
}

function elementsOf(node: StructureNode): StructureNode[] {
  return (node.children ?? []).filter((child): child is StructureNode => 'role' in child)
}

function withoutLists(node: StructureNode): StructureNode {
  return {
    ...node,
    children: (node.children ?? [])
      .filter((child) => !('role' in child && child.role === 'L'))
      .map((child) => ('role' in child ? withoutLists(child) : child)),
  }
}

function rowsOfContents(node: StructureNode): StructureNode[] {
  return elementsOf(node).flatMap((child) =>
    child.role === 'TOC' ? rowsOfContents(child) : [child],
  )
}
