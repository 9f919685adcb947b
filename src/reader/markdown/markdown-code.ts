import { isElement, isText, type DomElement, type DomNode } from '../extract/dom.ts'
import { MAX_DEPTH, mostOf } from '../extract/text.ts'

const GUTTERS =
  '.gutter, td.line-numbers, td.line_numbers, .crayon-nums, .rouge-gutter, .linenos, .linenodiv, .lineno, .line-numbers-rows, .line-number, .lnt, .hljs-ln-numbers, .blob-num, .CodeMirror-gutter-wrapper, .linenumber, .react-syntax-highlighter-line-number, .ln, [data-line-number]:empty, button'
/**
 * Classes of elements that a style sheet shows as lines. Most highlighters also write a line break
 * between them.
 */
const LINE = /(^|\s)(line|code-line|token-line|view-line)(\s|$)/
const NO_LANGUAGE = /^(plain|plaintext|text|txt|none|nohighlight|code|default|auto|undefined)$/

const NO_GUTTERS: ReadonlySet<DomNode> = new Set()

/** A table in which a highlighter shows line numbers next to code. */
export function isCodeTable(table: DomElement): boolean {
  if (table.querySelector('table') !== null) return false
  return (
    table.querySelector(
      'td.code pre, td.rouge-code, td.hljs-ln-code, td.blob-code, td.code > .container, td.crayon-code',
    ) !== null || /\b(rouge-table|highlighttable|hljs-ln|lntable)\b/.test(classOf(table))
  )
}

/** Preformatted text as a fenced block with its language, without line numbers and buttons. */
export function fencedCode(element: DomElement): string {
  const gutters = new Set<DomNode>([
    ...element.querySelectorAll(GUTTERS),
    ...besideEditor(element),
    ...countingElements(element),
  ])
  const code = codeText(element, gutters, 0)
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
  if (code === '') return ''
  const longest = Math.max(2, mostOf((code.match(/`+/g) ?? []).map((run) => run.length)))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${languageOf(element)}\n${code}\n${fence}`
}

/** The tool bar of a code editor inside the preformatted text. */
function besideEditor(element: DomElement): DomElement[] {
  const editor = element.querySelector('.cm-content, .monaco-editor .view-lines, .CodeMirror-code')
  const beside: DomElement[] = []
  for (let one = editor; one !== null && one !== element; one = one.parentElement)
    for (const sibling of one.parentElement?.children ?? [])
      if (sibling !== one) beside.push(sibling)
  return beside
}

/** Fewer numbers may be part of the code. */
const LEAST_NUMBERS = 3

/** Elements of one class that count the lines, at the start of each: line numbers of any highlighter. */
function countingElements(element: DomElement): DomElement[] {
  const byClass = new Map<string, DomElement[]>()
  for (const one of element.querySelectorAll('[class]')) {
    if (!/^\s*\d{1,5}\s*$/.test(one.textContent ?? '')) continue
    const listed = byClass.get(classOf(one))
    if (listed === undefined) byClass.set(classOf(one), [one])
    else listed.push(one)
  }
  const groups = [...byClass.values()].filter(({ length }) => length >= LEAST_NUMBERS)
  if (groups.length === 0) return []
  const lines = codeText(element).trim().split(/\r?\n/)
  return groups.filter((numbers) => countsLines(numbers, lines)).flat()
}

function countsLines(numbers: readonly DomElement[], lines: readonly string[]): boolean {
  const first = Number(numbers[0]?.textContent)
  return (
    numbers.length === lines.length &&
    numbers.every(
      ({ textContent }, at) =>
        Number(textContent) === first + at && lines[at]?.trim().startsWith(String(first + at)),
    ) &&
    lines.some((line) => /\D/.test(line.trim()))
  )
}

/** The text of code with its line breaks, without the elements in `gutters`. */
export function codeText(
  node: DomNode,
  gutters: ReadonlySet<DomNode> = NO_GUTTERS,
  depth = 0,
): string {
  if (isText(node)) return node.data
  if (gutters.has(node)) return ''
  if (depth > MAX_DEPTH) return node.textContent ?? ''
  const tag = isElement(node) ? node.localName : ''
  if (tag === 'br') return '\n'
  let text = ''
  let isAfterLine = false
  for (const child of node.childNodes) {
    const isLine = isElement(child) && child.localName === 'span' && LINE.test(classOf(child))
    if (isLine && isAfterLine && !text.endsWith('\n')) text += '\n'
    text += codeText(child, gutters, depth + 1)
    isAfterLine = isLine
  }
  return /^(div|p|tr|li)$/.test(tag) && !text.endsWith('\n') ? `${text}\n` : text
}

function languageOf(element: DomElement): string {
  const around = [element, element.parentElement, element.parentElement?.parentElement]
  const inner = element.querySelector('code')
  for (const one of inner === null ? around : [inner, ...around]) {
    if (one === null || one === undefined) continue
    const named = one.getAttribute('data-lang') ?? one.getAttribute('data-language')
    const match =
      /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*|sourceCode\s+|syntaxhighlighter\s+(?:nogutter\s+)?|highlight-(?!wrapper|text|box))([\p{L}\p{M}0-9+#._-]+)/iu.exec(
        classOf(one),
      )
    const language = (named ?? match?.[1] ?? '').toLowerCase()
    if (/^[\p{L}\p{M}0-9+#._-]{1,20}$/u.test(language) && !NO_LANGUAGE.test(language))
      return language
  }
  return ''
}

function classOf(element: DomElement): string {
  return element.getAttribute('class') ?? ''
}
