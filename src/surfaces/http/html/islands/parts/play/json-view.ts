import { element } from './element.ts'

/** Deeper values start folded, and are rendered when they are opened. */
const OPEN_DEPTH = 4
const MOST_ITEMS = 100
const MOST_TEXT_CHARS = 600

/** A JSON value with colors, whose lists and objects fold. */
export function jsonView(value: unknown): HTMLElement {
  return element('div', 'json', node(value, null, 0))
}

function node(value: unknown, key: string | null, depth: number): HTMLElement {
  const label = key === null ? [] : [token('t-keyword', JSON.stringify(key)), ': ']
  const entries = entriesOf(value)
  if (entries === null || entries.length === 0)
    return element('div', 'json-line', ...label, leaf(value))
  const isList = Array.isArray(value)
  const count = `${entries.length} ${isList ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`
  const fold = element('details', 'json-fold')
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  fold.append(
    element('summary', '', ...label, open, element('span', 'json-count', ` ${count} ${close}`)),
  )
  const fill = (): void => {
    if (fold.childElementCount > 1) return
    const body = element('div', 'json-body')
    append(body, entries, { isList, depth })
    fold.append(body, element('div', 'json-line', close))
  }
  if (depth < OPEN_DEPTH) {
    fold.open = true
    fill()
  } else fold.addEventListener('toggle', fill)
  return fold
}

type Entries = readonly (readonly [string, unknown])[]

function append(
  body: HTMLElement,
  entries: Entries,
  { isList, depth }: { readonly isList: boolean; readonly depth: number },
): void {
  const [shown, rest] = [entries.slice(0, MOST_ITEMS), entries.slice(MOST_ITEMS)]
  for (const [key, item] of shown) body.append(node(item, isList ? null : key, depth + 1))
  if (rest.length === 0) return
  body.append(moreButton(`Show ${rest.length} more`, () => append(body, rest, { isList, depth })))
}

function entriesOf(value: unknown): Entries | null {
  return typeof value === 'object' && value !== null ? Object.entries(value) : null
}

function leaf(value: unknown): Node {
  if (typeof value === 'number') return token('t-number', String(value))
  if (typeof value !== 'string') return token('t-keyword', JSON.stringify(value))
  const text = JSON.stringify(value)
  if (text.length <= MOST_TEXT_CHARS) return token('t-string', text)
  const span = token('t-string', `${text.slice(0, MOST_TEXT_CHARS)}…`)
  const whole = element('span', '', span)
  whole.append(
    ' ',
    moreButton(`Show all ${text.length} characters`, () => (span.textContent = text)),
  )
  return whole
}

function moreButton(label: string, show: () => void): HTMLButtonElement {
  const button = element('button', 'json-more', label)
  button.type = 'button'
  button.addEventListener('click', () => {
    button.remove()
    show()
  })
  return button
}

function token(className: string, text: string): HTMLElement {
  return element('span', className, text)
}
