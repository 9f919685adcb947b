import { compileSelectors } from '../dom/select.ts'
import type { DomDocument, DomElement } from '../dom/dom-types.ts'
import { hidesBox, isTiny, readDeclarations, type Declaration, type Style } from './declarations.ts'

type Rule = {
  readonly selector: string
  /** The last part is only a class, an ID or a tag, which the index has compared. */
  readonly isIndexed: boolean
  /** Tags, classes and IDs that the element or elements around it must have. */
  readonly names: readonly string[]
  readonly specificity: number
  readonly order: number
  readonly declarations: readonly Declaration[]
}
type Rules = ReadonlyMap<string, readonly Rule[]>

const MOST_CSS = 300_000
const MOST_RULES = 5_000
/** Comparisons of compound selectors of one page; later ones do not match. */
const MOST_COMPARISONS = 300_000
/** Rules that are looked at, over all elements of a page; after that, only style attributes count. */
const MOST_LOOKS = 3_000_000
const INLINE = 10_000_000
const NAME = String.raw`(?:[\w-]|[^\0-\x7f]|\\[^\da-f\s])+`
const ANY_NAME = new RegExp(`[.#]?${NAME}`, 'g')
const ATTRIBUTE = /\[[^\]]*\]/g
const NO_STYLE: Style = new Map()

/**
 * Returns a function that reads the style of an element from its attribute and the style elements.
 * Call it in document order.
 */
export function createStyleReader(document: DomDocument): (element: DomElement) => Style {
  const rules = readRules(document)
  const path = createPath()
  let comparisons = 0
  let looks = 0
  const applies = ({ selector, isIndexed, names }: Rule, element: DomElement): boolean => {
    if (isIndexed) return true
    if (!names.every((name) => path.has(name))) return false
    comparisons += 1
    if (comparisons > MOST_COMPARISONS) return false
    try {
      return compileSelectors(selector)(element)
    } catch {
      return false // a selector that css-select does not know
    }
  }
  return (element) => {
    const inline = element.getAttribute('style')
    const found =
      rules.size === 0 || looks > MOST_LOOKS
        ? []
        : path.enter(element).flatMap((name) => rules.get(name) ?? [])
    looks += found.length
    if (inline === null && found.length === 0) return NO_STYLE
    const weights = new Map<string, number>()
    const style = new Map<string, string>()
    const add = ({ name, value, isImportant }: Declaration, weight: number) => {
      const whole = weight + (isImportant ? INLINE * 1_000_000 : 0)
      if ((weights.get(name) ?? -1) > whole) return
      weights.set(name, whole)
      style.set(name, value)
    }
    for (const rule of found)
      if (applies(rule, element))
        for (const one of rule.declarations) add(one, rule.specificity * 10_000 + rule.order)
    for (const one of inline === null ? [] : readDeclarations(inline)) add(one, INLINE * 10_000)
    return style
  }
}

type Path = {
  /** Adds an element whose parent is on the path. Returns its names. */
  enter(element: DomElement): readonly string[]
  has(name: string): boolean
}

/** The names of an element and of those around it, which most rules with several names lack. */
function createPath(): Path {
  const entries: { readonly element: DomElement; readonly names: readonly string[] }[] = []
  const counts = new Map<string, number>()
  return {
    enter(element) {
      while (entries.length > 0 && entries.at(-1)?.element !== element.parentElement)
        for (const name of entries.pop()?.names ?? []) counts.set(name, (counts.get(name) ?? 1) - 1)
      const names = namesOf(element)
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      entries.push({ element, names })
      return names
    },
    has: (name) => (counts.get(name) ?? 0) > 0,
  }
}

function namesOf(element: DomElement): string[] {
  const names = ['*', element.localName]
  const id = element.getAttribute('id')
  if (id !== null) names.push(`#${id}`)
  for (const name of element.getAttribute('class')?.split(/\s+/) ?? []) names.push(`.${name}`)
  return names
}

function readRules(document: DomDocument): Rules {
  const css = document
    .querySelectorAll('style')
    .filter((style) => style.closest('noscript') === null)
    .map(sourceOf)
    .join('\n')
    .slice(0, MOST_CSS)
  const rules = new Map<string, Rule[]>()
  let order = 0
  for (const { selectors, body, isConditional } of blocksIn(css)) {
    const declarations = readDeclarations(body)
    if (declarations.length === 0 || (isConditional && hidesSomething(declarations))) continue
    for (const written of selectors.split(',')) {
      const rule = readRule(written.trim(), declarations, order)
      if (rule === undefined) continue
      order += 1
      if (order > MOST_RULES) return rules
      const listed = rules.get(rule.key)
      if (listed === undefined) rules.set(rule.key, [rule])
      else listed.push(rule)
    }
  }
  return rules
}

/** The rules of a style element for some media are those of a `@media` block. */
function sourceOf(style: DomElement): string {
  const media = style.getAttribute('media')?.trim() ?? ''
  const source = style.textContent ?? ''
  return media === '' || /[{}]/.test(media) ? source : `@media ${media}{${source}}`
}

/** Text hidden at one width of the screen is shown at another one. */
function hidesSomething(declarations: readonly Declaration[]): boolean {
  const style: Style = new Map(declarations.map(({ name, value }) => [name, value]))
  return (
    hidesBox(style) ||
    isTiny(style) === true ||
    style.get('visibility') === 'hidden' ||
    style.has('color')
  )
}

function readRule(selector: string, declarations: readonly Declaration[], order: number) {
  const plain = selector.replaceAll(/\\./g, 'x')
  // States such as :hover, and neighbours, are not known here.
  if (plain.length > 200 || /[:+~|]/.test(plain)) return undefined
  const last =
    selector
      .replaceAll(ATTRIBUTE, '')
      .split(/[\s>]+/)
      .at(-1) ?? ''
  const names = selector === '*' ? ['*'] : namesIn(last)
  // Pages have many elements of a tag, and few of a class.
  const key = names.find((name) => /^[.#]/.test(name)) ?? names[0]
  if (key === undefined) return undefined
  const count = (pattern: RegExp) => plain.match(pattern)?.length ?? 0
  return {
    key,
    selector,
    isIndexed: selector === last && names.length === 1,
    names: namesIn(selector),
    specificity: count(/#/g) * 10_000 + count(/[.[]/g) * 100 + count(/(^|[\s>])[a-z]/gi),
    order,
    declarations,
  }
}

function namesIn(selector: string): string[] {
  return (selector.replaceAll(ATTRIBUTE, '').match(ANY_NAME) ?? []).map((name) =>
    /^[.#]/.test(name) ? name.replaceAll('\\', '') : name.toLowerCase(),
  )
}

type CssBlock = {
  readonly selectors: string
  readonly body: string
  readonly isConditional: boolean
}

/** Scans style sheets once, in linear time for any text. */
function* blocksIn(source: string): Generator<CssBlock> {
  const css = withoutComments(source)
  const mark = /[{};]/g
  const open: { readonly isConditional: boolean; readonly isSkipped: boolean }[] = []
  let start = 0
  for (let found = mark.exec(css); found !== null; found = mark.exec(css)) {
    const prelude = css.slice(start, found.index).trim()
    start = found.index + 1
    if (found[0] === '}') open.pop()
    if (found[0] !== '{') continue
    const around = open.at(-1) ?? { isConditional: false, isSkipped: false }
    const at = /^@([\w-]+)\s*(.*)/s.exec(prelude)
    if (at !== null) {
      const isGroup = /^(media|supports|layer|container|document)$/i.test(at[1] ?? '')
      const condition = (at[2] ?? '').trim()
      open.push({
        isConditional:
          around.isConditional ||
          (/^(media|container)$/i.test(at[1] ?? '') &&
            !/^(only\s+)?(screen|all)?$/i.test(condition)),
        isSkipped: around.isSkipped || !isGroup || /\bprint\b/i.test(condition),
      })
      continue
    }
    const end = css.indexOf('}', start)
    const body = css.slice(start, end === -1 ? css.length : end)
    // A nested rule belongs to another selector.
    const nested = body.indexOf('{')
    if (nested !== -1) open.push({ ...around, isSkipped: true })
    else mark.lastIndex = start = end === -1 ? css.length : end + 1
    if (!around.isSkipped)
      yield {
        selectors: prelude,
        body: nested === -1 ? body : body.slice(0, Math.max(0, body.lastIndexOf(';', nested) + 1)),
        isConditional: around.isConditional,
      }
  }
}

function withoutComments(css: string): string {
  const pieces: string[] = []
  let position = 0
  for (;;) {
    const open = css.indexOf('/*', position)
    if (open === -1) break
    pieces.push(css.slice(position, open))
    const close = css.indexOf('*/', open + 2)
    if (close === -1) return pieces.join(' ')
    position = close + 2
  }
  pieces.push(css.slice(position))
  return pieces.join(' ').replaceAll(/<!--|-->/g, ' ')
}
