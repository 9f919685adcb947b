import { BLOCK_TAGS, UNSEEN_TAGS, isElement, isText, type DomNode } from './dom.ts'
import { collapse } from '../dom/text-measure.ts'

export { collapse } from '../dom/text-measure.ts'

/** Nesting beyond this is flattened, so that no page can exhaust the stack. */
export const MAX_DEPTH = 250

/** A tree as plain text: one line per block, table cells separated by tabs. */
export function toText(root: DomNode): string {
  const out: string[] = []
  append(root, out, 0, false)
  return out
    .join('')
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function append(node: DomNode, out: string[], depth: number, preformatted: boolean): void {
  if (isText(node)) {
    out.push(preformatted ? node.data : collapse(node.data))
    return
  }
  if (depth > MAX_DEPTH) {
    out.push(collapse(node.textContent ?? ''))
    return
  }
  const tag = isElement(node) ? node.localName : ''
  if (depth > 0 && UNSEEN_TAGS.has(tag)) return
  if (tag === 'br') out.push('\n')
  const around = separatorOf(tag)
  separate(out, around)
  for (const child of node.childNodes) append(child, out, depth + 1, preformatted || tag === 'pre')
  separate(out, around)
}

/** Adjacent block ends and starts share one line break. */
function separate(out: string[], separator: string): void {
  if (separator === '' || (separator === '\n' && out.at(-1)?.endsWith('\n') === true)) return
  out.push(separator)
}

function separatorOf(tag: string): string {
  if (tag === 'td' || tag === 'th') return '\t'
  if (/^(p|h[1-6]|table|ul|ol|dl|pre|blockquote|figure|section|article)$/.test(tag)) return '\n\n'
  return BLOCK_TAGS.has(tag) ? '\n' : ''
}

/** The largest count. `Math.max(...counts)` would overflow the stack for a large page. */
export function mostOf(counts: readonly number[]): number {
  return counts.reduce((most, count) => Math.max(most, count), 0)
}
