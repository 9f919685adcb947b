/** A template tag that escapes every value put in, unless the value came out of the tag itself. */

declare const safe: unique symbol
/** Markup that may be sent as it is. Only `html` makes it. */
export type Html = { readonly markup: string; readonly [safe]: true }
type Value = Html | string | number | bigint | false | null | undefined | readonly Value[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Attribute values must stand in quotes. Lists are joined; false, null and undefined leave nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, at) => text + (at < values.length ? render(values[at]) : ''))
  return new SafeHtml(parts.join('')) as unknown as Html
}

/** A class, so that no object from a parsed body can pass for markup. */
class SafeHtml {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

function render(value: Value): string {
  if (value instanceof SafeHtml) return value.markup
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object') return (value as readonly Value[]).map(render).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
