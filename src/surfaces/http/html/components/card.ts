import { html, type Html } from '../html.ts'
import { figure } from './text.ts'

/** A card with a title, content at the right of it, and a foot. `id`: an anchor. */
export function card(view: {
  readonly title?: string
  /** The level of the title. */
  readonly level?: 2 | 3
  readonly aside?: Html
  readonly content: Html
  readonly foot?: Html
  readonly kind?: 'danger'
  readonly id?: string
}): Html {
  const { title, level = 2, aside } = view
  return html`<section class="card${view.kind !== undefined && ` ${view.kind}`}"${view.id !== undefined && html` id="${view.id}"`}>
${(title !== undefined || aside !== undefined) && html`<div class="card-head">${title !== undefined && (level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`)}${aside}</div>`}
${view.content}
${view.foot !== undefined && html`<div class="card-foot">${view.foot}</div>`}</section>
`
}

export type Stat = {
  readonly label: Html | string
  readonly value: Html | string | number
  readonly note?: Html | string
  /** At the right of the label. */
  readonly aside?: Html
}

/** Figures with their names, as cards or as one strip. */
export function stats(items: readonly Stat[], { look }: { readonly look?: 'strip' } = {}): Html {
  return html`<dl class="stats${look === 'strip' && ' strip'}">${items.map(
    ({
      label,
      value,
      note,
      aside,
    }) => html`<div class="stat"><dt>${label}${aside}</dt><dd class="value">${figure(value)}</dd>${note !== undefined && html`<dd class="stat-note">${note}</dd>`}</div>
`,
  )}</dl>`
}

/** Names and values of one thing. */
export function facts(rows: readonly (readonly [string, Html | string | number])[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${figure(value)}</dd></div>`)}</dl>`
}

export type FieldRow = {
  readonly name: string
  readonly type: string
  readonly required?: boolean
  readonly text: Html | string
  /** The default, the limits or a sample. */
  readonly detail?: Html | string
  /** 1 to 3 for the fields of an object. */
  readonly level?: number
  readonly id?: string
  /** The fields within, which the reader can collapse. */
  readonly fields?: readonly FieldRow[]
  /** Shows the fields within at first. */
  readonly isOpen?: boolean
}

/** Inputs of an action, or fields of its answer. */
export function fieldRows(rows: readonly FieldRow[]): Html {
  return html`<dl class="field-rows">${rows.map(
    (
      row,
    ) => html`<div class="field-row${row.level !== undefined && row.level > 0 && ` level-${row.level}`}"${row.id !== undefined && html` id="${row.id}"`}><dt><code>${row.name}</code><span>${row.type}${row.required === true && html` · <span class="required">required</span>`}</span></dt><dd>${row.text}${row.detail !== undefined && html`<small>${row.detail}</small>`}${fieldsWithin(row)}</dd></div>
`,
  )}</dl>`
}

function fieldsWithin({ name, fields = [], isOpen = false }: FieldRow): Html | false {
  if (fields.length === 0) return false
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`
  return html`<details${isOpen && html` open`}><summary>${count}<span class="visually-hidden"> of ${name}</span></summary>${fieldRows(fields)}</details>`
}
