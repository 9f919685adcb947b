import {
  UNSEEN_TAGS,
  absoluteUrl,
  imageUrl,
  isElement,
  isText,
  type DomElement,
  type DomNode,
} from '../extract/dom.ts'
import { namesView } from '../fetch/view-fragment.ts'
import { codeText } from './markdown-code.ts'
import { joinInline } from './markdown-join.ts'
import { MAX_DEPTH, collapse, mostOf } from '../extract/text.ts'

export type InlineContext = { baseUrl: string; depth: number; isHeading?: boolean }

const BREAK = '  \n'
/** The text of a heading's link to itself: ¶, #, §, a chain, or words such as "permalink". */
const SELF_LINK_SIGN =
  /^(¶|\\?#+|§|\u{1f517}|\u{f0c1}|permalink.*|direct link.*|link to (this )?(heading|section).*|anchor|)$/iu

/** Nodes as one paragraph of markdown. */
export function inlineMarkdown(nodes: readonly DomNode[], context: InlineContext): string {
  return joinInline(
    textRunsMerged(nodes).map((part) =>
      typeof part === 'string' ? textMarkdown(collapse(part)) : oneNode(part, context),
    ),
  )
    .replace(/[ \t]+(?=\n)|(?<=\n)[ \t]+/g, (space) => (space === '  ' ? space : ''))
    .replace(/ {2,}(?!\n)/g, ' ')
    .replace(/( {2}\n){3,}/g, BREAK + BREAK)
}

/**
 * Escapes signs that would start a list, heading, quote, rule or (invisible) link definition at the
 * start of a paragraph.
 */
export function escapeBlockStart(text: string): string {
  return text
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+ *$|--+ *$|~~~|\[(?=[^[\]\n]{1,999}\]:))/gm, '\\$1')
    .replace(/^(\d+)([.)])(?= |$)/gm, '$1\\$2')
}

/**
 * The parser splits text at every entity. Escaping needs the neighbors of each sign, so adjacent
 * texts are merged.
 */
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

/** TeX between the delimiters that MathJax and KaTeX look for in text. */
const RAW_FORMULA =
  /\\\(((?:(?!\\\))[^]){1,500})\\\)|(?:\\\[|\$\$)((?:(?!\\\]|\$\$)[^]){1,1000})(?:\\\]|\$\$)/g

/** Text with its signs escaped. Raw formulas stay as they are, between dollar signs. */
function textMarkdown(text: string): string {
  if (!/\\[([]|\$\$/.test(text)) return escapeInline(text)
  let written = ''
  let at = 0
  for (const { 0: whole, 1: inline, 2: block, index } of text.matchAll(RAW_FORMULA)) {
    const formula = inline === undefined ? `$$${block?.trim() ?? ''}$$` : `$${inline.trim()}$`
    written += escapeInline(text.slice(at, index)) + formula
    at = index + whole.length
  }
  return written + escapeInline(text.slice(at))
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
      // The reading of a word is shown above it; inline it needs parentheses, which not every page
      // contains.
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

/** Keeps the tag of an exponent or index of a number: without it, 10 to the 6th would read 106. */
function raised(tag: string, text: string, node: DomElement): string {
  const isOfNumber =
    /^[-+−–]?[\p{L}\d+−-]{1,6}$/u.test(text) && !/^(st|nd|rd|th|tm|sm|er|re|e|o|a)$/i.test(text)
  return isOfNumber && node.querySelector('a') === null && node.closest('a') === null
    ? `<${tag}>${text}</${tag}>`
    : text
}

/**
 * Puts the signs inside the surrounding white space. Skips text that has them already. `**` does
 * not count as `*`.
 */
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

// Detects one level of nested brackets only: this bounds the search, however many brackets the text
// has.
const LINK_WITHIN = /(?<!\\|(?<!\\)!)\[(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*\]\([^)]*\)/

function link(element: DomElement, text: string, context: InlineContext): string {
  const target = linkTarget(element, context.baseUrl)
  const words = text.replace(/\s*\n\s*/g, ' ').trim()
  if (context.isHeading === true && isSelfLink(element, context.baseUrl))
    return SELF_LINK_SIGN.test(words) ? '' : text
  // Markdown has no nested links. The inner link, written first, stays.
  if (target === '' || words === '' || LINK_WITHIN.test(words)) return text
  if (isJump(element, context.baseUrl)) return text
  const space = [/^\s/, /\s$/].map((edge) => (edge.test(text) ? ' ' : ''))
  return `${space[0]}[${balanced(words)}](${target})${space[1]}`
}

/**
 * Escapes unmatched brackets, which would end the link text too early or never. Ignores brackets in
 * code.
 */
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

/** Reports whether the link leads to its own page, as a heading's anchor does. */
function isSelfLink(element: DomElement, baseUrl: string): boolean {
  const [page, fragment] = (absoluteUrl(element.getAttribute('href'), baseUrl) ?? '').split('#')
  return fragment !== undefined && page === baseUrl.split('#')[0]
}

/** Reports whether the link leads to another place of its own page and is not the sign of a note. */
function isJump(element: DomElement, baseUrl: string): boolean {
  return (
    isSelfLink(element, baseUrl) &&
    !namesView(element.getAttribute('href') ?? '') &&
    element.closest('sup') === null
  )
}

/** A link's target, encoded for use in parentheses; empty if it leads nowhere. */
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

/** Escapes only signs that would change how the text renders at their position. */
function escapeInline(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, (run) => '\\_'.repeat(run.length))
    .replace(/\](?=[([])/g, '\\]')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
}
