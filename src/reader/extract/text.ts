import { BLOCK_TAGS, UNSEEN_TAGS, isElement, isText, type DomNode } from './dom.ts'

/** Nesting beyond this is flattened, so that no page can exhaust the stack. */
export const MAX_DEPTH = 250

/** The words of a tree as plain text: one line for each block, cells of a row set apart by tabs. */
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

/** The end of one block and the start of the next make one new line between them. */
function separate(out: string[], separator: string): void {
  if (separator === '' || (separator === '\n' && out.at(-1)?.endsWith('\n') === true)) return
  out.push(separator)
}

function separatorOf(tag: string): string {
  if (tag === 'td' || tag === 'th') return '\t'
  if (/^(p|h[1-6]|table|ul|ol|dl|pre|blockquote|figure|section|article)$/.test(tag)) return '\n\n'
  return BLOCK_TAGS.has(tag) ? '\n' : ''
}

/** The greatest of any number of counts: as arguments of a function, what a large page has of them passes the stack. */
export function mostOf(counts: readonly number[]): number {
  return counts.reduce((most, count) => Math.max(most, count), 0)
}

/** White space as a browser shows it, and nothing of signs that only say where a word may be broken, which it does not show. */
export function collapse(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060]+/g, '').replace(/\s+/g, ' ')
}
