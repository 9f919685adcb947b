/** Markup that several pages share. */
import type { LaneName, LaneStatus } from '../../../catalog/published/lane.ts'
import { html, type Html } from './html.ts'

const LANE_NAMES: Readonly<Record<LaneName, string>> = {
  vendor: 'the operator’s vendor key',
  wallet: 'a payment from the operator’s wallet',
  'in-house': 'the gateway’s own implementation',
}

export function laneBadge(live: boolean): Html {
  return live
    ? html`<span class="badge live">live</span>`
    : html`<span class="badge idle">needs operator setup</span>`
}

export function laneSentence({ live }: LaneStatus): string {
  return live === null
    ? 'Not set up on this gateway. A live key gets 503, a test key the simulator.'
    : `Performed with ${LANE_NAMES[live]}.`
}

export function codeBlock(text: string, language: 'sh' | 'json' | 'http' | 'js'): Html {
  return html`<pre tabindex="0"><code class="language-${language}">${text}</code></pre>`
}

export function jsonBlock(value: unknown): Html {
  return codeBlock(JSON.stringify(value, null, 2), 'json')
}

export type Cell = Html | string | number
/** The heading of a column. Columns of figures are right-aligned. */
export type Heading = string | { readonly figures: string }

/**
 * A table that becomes a list of labelled blocks on a narrow screen. The roles keep the table readable
 * for assistive technology when the style sheet changes its display. `ids` are the anchors of the rows.
 */
export function table(
  label: string,
  head: readonly Heading[],
  rows: readonly (readonly Cell[])[],
  ids: readonly string[] = [],
): Html {
  const columns = head.map((heading) =>
    typeof heading === 'string'
      ? { name: heading, kind: null }
      : { name: heading.figures, kind: html` class="figures"` },
  )
  return html`<div class="table"><table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${columns.map(({ name, kind }) => html`<th role="columnheader" scope="col"${kind}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  (
    cells,
    at,
  ) => html`<tr role="row"${ids[at] !== undefined && html` id="${ids[at]}"`}>${cells.map((cell, column) => html`<td role="cell" data-label="${columns[column]?.name}"${columns[column]?.kind}>${cell}</td>`)}</tr>
`,
)}</tbody>
</table></div>`
}

/** Renders text of the catalog, where backticks mark code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? code(part) : part))}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** A time in UTC, to the second. */
export function time(rfc3339: string): Html {
  return html`<time datetime="${rfc3339}">${rfc3339.slice(0, 19).replace('T', ' ')}</time>`
}

/** The id of a heading, for links to it. */
export function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
