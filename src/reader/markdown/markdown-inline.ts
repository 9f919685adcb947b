import {
  UNSEEN_TAGS,
  absoluteUrl,
  imageUrl,
  isElement,
  isText,
  type DomElement,
  type DomNode,
} from '../extract/dom.ts'
import { codeText } from './markdown-code.ts'
import { joinInline } from './markdown-join.ts'
import { MAX_DEPTH, collapse, mostOf } from '../extract/text.ts'

export type InlineContext = { baseUrl: string; depth: number; isHeading?: boolean }

const BREAK = '  \n'
/** What such handles show: ¶, #, §, a chain, or the words "permalink" and the like. */
const SELF_LINK_SIGN =
  /^(¶|\\?#+|§|\u{1f517}|\u{f0c1}|permalink.*|direct link.*|link to (this )?(heading|section).*|anchor|)$/iu

/** Nodes as one paragraph of markdown. */
export function inlineMarkdown(nodes: readonly DomNode[], context: InlineContext): string {
  return joinInline(
    textRunsMerged(nodes).map((part) =>
      typeof part === 'string' ? escapeInline(collapse(part)) : oneNode(part, context),
    ),
  )
    .replace(/[ \t]+(?=\n)|(?<=\n)[ \t]+/g, (space) => (space === '  ' ? space : ''))
    .replace(/ {2,}(?!\n)/g, ' ')
    .replace(/( {2}\n){3,}/g, BREAK + BREAK)
}

/** Escapes what would open a list, a heading, a quote, a rule or a link's definition, which nobody sees, at the start of a paragraph. */
export function escapeBlockStart(text: string): string {
  return text
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+ *$|--+ *$|~~~|\[(?=[^[\]\n]{1,999}\]:))/gm, '\\$1')
    .replace(/^(\d+)([.)])(?= |$)/gm, '$1\\$2')
}

/** The parser cuts text at every entity; signs are escaped by what stands beside them. */
function textRunsMerged(nodes: readonly DomNode[]): (string | DomElement)[] {
  const parts: (string | DomElement)[] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    if (isElement(node)) parts.push(node)
    else if (isText(node) && typeof last === 'string') parts[parts.length - 1] = last + node.data
    else if (isText(node)) parts.push(node.data)
  }
  return parts
}

function oneNode(node: DomElement, context: InlineContext): string {
  const tag = node.localName
  if (tag === 'input' && node.getAttribute('type') === 'checkbox')
    return node.hasAttribute('checked') ? '[x] ' : '[ ] '
  if (UNSEEN_TAGS.has(tag)) return ''
  if (context.depth > MAX_DEPTH) return escapeInline(collapse(node.textContent ?? ''))
  const inside = () =>
    inlineMarkdown([...node.childNodes], { ...context, depth: context.depth + 1 })
  switch (tag) {
    case 'br':
      return BREAK
    case 'strong':
    case 'b':
      return wrap(inside(), '**')
    case 'em':
    case 'i':
      return wrap(inside(), '*')
    case 'del':
    case 's':
    case 'strike':
      return wrap(inside(), '~~')
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return codeSpan(codeText(node))
    case 'a':
      return link(node, inside(), context)
    case 'img':
    case 'amp-img':
      return image(node, context)
    case 'sup':
    case 'sub':
      return raised(tag, inside(), node)
    case 'rt':
      // How a word is read stands over it; beside it, it needs the parentheses that not every page has written.
      return node.previousElementSibling?.localName === 'rp' || inside().trim() === ''
        ? inside()
        : `(${inside().trim()})`
    case 'q':
      return `“${inside()}”`
    case 'math':
      return math(node)
    default:
      return inside()
  }
}

/** An exponent or an index that stood beside its number as another digit would make it another number: 10 to the 6th is no 106. */
function raised(tag: string, text: string, node: DomElement): string {
  const isOfNumber =
    /^[-+−–]?[\p{L}\d+−-]{1,6}$/u.test(text) && !/^(st|nd|rd|th|tm|sm|er|re|e|o|a)$/i.test(text)
  return isOfNumber && node.querySelector('a') === null && node.closest('a') === null
    ? `<${tag}>${text}</${tag}>`
    : text
}

/** Signs go inside the white space, and a run that has them already is left alone. Two asterisks are none of one. */
function wrap(text: string, sign: string): string {
  const match = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)
  const words = match?.[2] ?? ''
  if (
    words === '' ||
    (sign === '*' ? /^(\*|\*{3,})(?!\*)/.test(words) : words.startsWith(sign)) ||
    /^!\[[^\]]*\]\([^)]*\)$/.test(words)
  )
    return text
  const lines = words
    .split(BREAK)
    .map((line) => (line.trim() === '' ? line : `${sign}${line.trim()}${sign}`))
  return `${match?.[1] ?? ''}${lines.join(BREAK)}${match?.[3] ?? ''}`
}

function codeSpan(text: string): string {
  const code = collapse(text).trim()
  if (code === '') return ''
  const longest = mostOf((code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return code.startsWith('`') || code.endsWith('`')
    ? `${fence} ${code} ${fence}`
    : `${fence}${code}${fence}`
}

// Brackets in its words are told one deep: by the next one that opens the search for an end is over, however many there are.
const LINK_WITHIN = /(?<!\\|(?<!\\)!)\[(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*\]\([^)]*\)/

function link(element: DomElement, text: string, context: InlineContext): string {
  const target = linkTarget(element, context.baseUrl)
  const words = text.replace(/\s*\n\s*/g, ' ').trim()
  if (context.isHeading === true && isSelfLink(element, context.baseUrl))
    return SELF_LINK_SIGN.test(words) ? '' : text
  // A link in a link does not exist in markdown; the inner one is the one that was written first.
  if (target === '' || words === '' || LINK_WITHIN.test(words)) return text
  const space = [/^\s/, /\s$/].map((edge) => (edge.test(text) ? ' ' : ''))
  return `${space[0]}[${balanced(words)}](${target})${space[1]}`
}

/** Brackets without a partner would end the words of a link too early, or never. Those in code are none. */
function balanced(words: string): string {
  if (!/[[\]]/.test(words)) return words
  const [open, alone]: [number[], Set<number>] = [[], new Set()]
  for (const { 0: found, index } of words.matchAll(/\\.|(`+)(?!`)[^]*?[^`]\1(?!`)|[[\]]/g)) {
    if (found === '[') open.push(index)
    else if (found === ']' && open.pop() === undefined) alone.add(index)
  }
  for (const index of open) alone.add(index)
  const cuts = [...alone].toSorted((a, b) => a - b)
  return [0, ...cuts]
    .map((start, index) => (index === 0 ? '' : '\\') + words.slice(start, cuts[index]))
    .join('')
}

/** A handle that links a heading to itself. */
function isSelfLink(element: DomElement, baseUrl: string): boolean {
  const [page, fragment] = (absoluteUrl(element.getAttribute('href'), baseUrl) ?? '').split('#')
  return fragment !== undefined && page === baseUrl.split('#')[0]
}

/** Where a link leads, ready to stand in parentheses; empty when it leads nowhere. */
export function linkTarget(element: DomElement, baseUrl: string): string {
  const url = absoluteUrl(element.getAttribute('href'), baseUrl)
  return url === undefined ? '' : inTarget(url)
}

function image(element: DomElement, context: InlineContext): string {
  const url = imageUrl(element, context.baseUrl)
  const alt = collapse(element.getAttribute('alt') ?? '')
    .trim()
    .replace(/[[\]\\]/g, '')
  return url === undefined ? '' : `![${alt}](${inTarget(url)})`
}

function math(element: DomElement): string {
  const tex = element.getAttribute('data-latex')
  if (tex === null || tex.trim() === '') return escapeInline(collapse(element.textContent ?? ''))
  return element.getAttribute('display') === 'block' ? `$$${tex.trim()}$$` : `$${tex.trim()}$`
}

function inTarget(url: string): string {
  return url.replace(/[()\s<>]/g, (sign) =>
    sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign),
  )
}

/** Escapes as little as can be: signs that would change how the text is shown where they stand. */
function escapeInline(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, (run) => '\\_'.repeat(run.length))
    .replace(/\](?=[([])/g, '\\]')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
}
