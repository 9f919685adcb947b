import {
  isFilledIn,
  readPlayInput,
  toFieldText,
  type PlayField,
  type PlayInput,
} from '../../../code/play-input.ts'
import { element } from './element.ts'

/** Prefilled values in the query of a page: ?input={"urls":["https://example.com/"]}. */
const PREFILL = 'input'
const MOST_PREFILL_CHARS = 16_000

/** Names of values that the page's query has and the form does not. `rejected`: their fields cannot hold them. */
export type Prefilled = {
  readonly unknown: readonly string[]
  readonly rejected: readonly string[]
}

/** The form of a playground: its values, and errors next to its fields. */
export class PlayForm {
  readonly form: HTMLFormElement
  readonly fields: readonly PlayField[]

  constructor(form: HTMLFormElement) {
    this.form = form
    this.fields = JSON.parse(form.dataset['fields'] ?? '[]') as PlayField[]
  }

  read(): PlayInput {
    return readPlayInput(this.fields, (name) => this.#control(name)?.value ?? '')
  }

  /** Fills in the values of the page's query. */
  prefill(search: string): Prefilled {
    const values = readPrefill(search)
    if (values === null) return { unknown: [], rejected: [] }
    const rejected: string[] = []
    for (const field of this.fields) {
      const value = values[field.name]
      const control = this.#control(field.name)
      if (control !== null) control.value = toFieldText(field, value)
      // A choice takes only values of its list, and a line no line break.
      if (value !== undefined && !isFilledIn(field, control?.value ?? '', value))
        rejected.push(field.name)
    }
    const known = this.fields.map(({ name }) => name)
    return { unknown: Object.keys(values).filter((name) => !known.includes(name)), rejected }
  }

  /** Marks the fields at fault, and removes earlier marks. Returns the first field with an error. */
  showErrors(errors: Readonly<Record<string, string>>): HTMLElement | null {
    let first: HTMLElement | null = null
    for (const { name } of this.fields) {
      const control = this.#control(name)
      if (control === null) continue
      const id = `${control.id}-error`
      document.getElementById(id)?.remove()
      const message = errors[name]
      if (message === undefined) {
        control.removeAttribute('aria-invalid')
        control.removeAttribute('aria-errormessage')
        continue
      }
      control.setAttribute('aria-invalid', 'true')
      control.setAttribute('aria-errormessage', id)
      const line = element('p', 'field-error', message)
      line.id = id
      control.after(line)
      control.closest('details')?.setAttribute('open', '')
      first ??= control
    }
    return first
  }

  /** The field that an error of the gateway names, such as "urls/0" or "site.depth". */
  fieldOf(param: string | null): string | null {
    const name = /^[\w-]+/.exec(param ?? '')?.[0]
    return this.fields.find((field) => field.name === param || field.name === name)?.name ?? null
  }

  #control(name: string): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null {
    const found = this.form.elements.namedItem(name)
    return found instanceof HTMLInputElement ||
      found instanceof HTMLTextAreaElement ||
      found instanceof HTMLSelectElement
      ? found
      : null
  }
}

/** Null without the parameter, and for text that is no JSON object. */
function readPrefill(search: string): Readonly<Record<string, unknown>> | null {
  const text = new URLSearchParams(search).get(PREFILL)
  if (text === null || text.length > MOST_PREFILL_CHARS) return null
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
