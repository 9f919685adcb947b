/** A template tag that escapes every value, except markup from the tag itself. */

/** Escaped markup. The class is not exported, so that no object from a parsed body can imitate it. */
class SafeHtml {
  readonly #markup: string
  constructor(markup: string) {
    this.#markup = markup
  }
  get markup(): string {
    return this.#markup
  }
}

export type Html = SafeHtml
type Value = Html | string | number | bigint | false | null | undefined | readonly Value[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Quote attribute values. Lists are joined; false, null and undefined render nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, at) => text + (at < values.length ? render(values[at]) : ''))
  return new SafeHtml(parts.join(''))
}

function render(value: Value): string {
  if (value instanceof SafeHtml) return value.markup
  if (value === false || value === null || value === undefined) return ''
  if (isList(value)) return value.map(render).join('')
  // Any other object renders as text, never as markup.
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}
