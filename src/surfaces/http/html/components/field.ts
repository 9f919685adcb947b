import { html, type Html } from '../html.ts'
import { icon } from './icon.ts'

type Common = {
  readonly label: string
  readonly name: string
  /** Default: the name. Unique in the page. */
  readonly id?: string
  readonly hint?: Html | string
  /** Marks the field and stands below it. The first field with an error of a page takes the focus. */
  readonly error?: string | undefined
  /** False keeps the focus away from a field with an error. */
  readonly focus?: boolean
  readonly required?: boolean
  /** A link or short text at the right of the label. */
  readonly aside?: Html
}

export type FieldView = Common & {
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'date'
    | 'datetime-local'
    | 'search'
    | 'url'
    | 'area'
  readonly value?: string | number
  readonly placeholder?: string
  readonly maxLength?: number
  readonly minLength?: number
  readonly autocomplete?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'url'
  /** A unit inside the left edge, such as $. */
  readonly unit?: string
  /** The value is code. */
  readonly mono?: boolean
  readonly rows?: number
}

/** A labelled input with a hint and an error. */
export function field(view: FieldView): Html {
  const { type = 'text', value = '', unit, rows = 4 } = view
  const id = view.id ?? view.name
  const attributes = html`id="${id}" name="${view.name}"${view.required === true && html` required`}${view.placeholder !== undefined && html` placeholder="${view.placeholder}"`}${view.maxLength !== undefined && html` maxlength="${view.maxLength}"`}${view.minLength !== undefined && html` minlength="${view.minLength}"`}${view.autocomplete !== undefined && html` autocomplete="${view.autocomplete}"`}${view.inputMode !== undefined && html` inputmode="${view.inputMode}"`}${view.mono === true && html` class="mono" spellcheck="false"`}${describedBy(id, view)}`
  const control =
    type === 'area'
      ? html`<textarea ${attributes} rows="${rows}">${value}</textarea>`
      : html`<input ${attributes} type="${type}" value="${value}">`
  return wrap(
    id,
    view,
    unit === undefined
      ? control
      : html`<span class="affix"><span aria-hidden="true">${unit}</span>${control}</span>`,
  )
}

export type SelectView = Common & {
  /** Values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly chosen?: string | undefined
}

export function selectField(view: SelectView): Html {
  const id = view.id ?? view.name
  return wrap(
    id,
    view,
    html`<select id="${id}" name="${view.name}"${view.required === true && html` required`}${describedBy(id, view)}>${view.options.map(([value, label]) => html`<option value="${value}"${value === view.chosen && html` selected`}>${label}</option>`)}</select>`,
  )
}

/** A checkbox with its label at the right; as a switch with `look`. */
export function checkField(view: {
  readonly label: Html | string
  readonly name: string
  readonly value?: string
  readonly checked?: boolean
  readonly hint?: string
  readonly look?: 'switch'
  readonly required?: boolean
  /** Marks and focuses the box. Show the error with `fieldError`. */
  readonly isWrong?: boolean
}): Html {
  return html`<label class="check${view.look === 'switch' && ' switch'}"><input type="checkbox" name="${view.name}" value="${view.value ?? 'on'}"${view.checked === true && html` checked`}${view.required === true && html` required`}${view.isWrong === true && html` aria-invalid="true" autofocus`}><span>${view.label}${view.hint !== undefined && html`<span class="hint">${view.hint}</span>`}</span></label>`
}

/** The sentence under a field at fault. */
export function fieldError(id: string, message: string): Html {
  return html`<p class="field-error" id="${id}-error">${icon('error')}<span role="alert">${message}</span></p>`
}

function wrap(id: string, { label, hint, error, aside }: Common, control: Html): Html {
  const name = html`<label for="${id}">${label}</label>`
  return html`<div class="field">${aside === undefined ? name : html`<div class="label-row">${name}${aside}</div>`}
${control}${error !== undefined && fieldError(id, error)}${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>
`
}

/** The attributes that connect a control with its error and hint, and focus the control at fault. */
function describedBy(id: string, { hint, error, focus = true }: Common): Html {
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter((part) => part !== false)
    .join(' ')
  return html`${described !== '' && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"${focus && html` autofocus`}`}`
}
