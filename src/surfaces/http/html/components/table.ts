import { html, type Html } from '../html.ts'
import { figure } from './text.ts'

export type Cell = Html | string | number
/** The heading of a column. Columns of figures are right-aligned. */
export type Heading = string | { readonly figures: string }

/**
 * A table that becomes a list of labelled blocks on a narrow screen; the first column heads its block. The
 * roles keep the table readable for assistive technology when the style sheet changes its display. `ids`
 * are the anchors of the rows.
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
  ) => html`<tr role="row"${ids[at] !== undefined && html` id="${ids[at]}"`}>${cells.map((cell, column) => html`<td role="cell" data-label="${columns[column]?.name}"${columns[column]?.kind}><div class="cell">${figure(cell)}</div></td>`)}</tr>
`,
)}</tbody>
</table></div>`
}
