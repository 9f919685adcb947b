import { answerSchema } from '../../../../../catalog/published/answer-schema.ts'
import { listFieldTree, type FieldLine } from '../../../../../catalog/published/param-lines.ts'
import { canBeJob, type Action, type Service } from '../../../../../catalog/vocabulary/define.ts'
import { fieldRows, type FieldRow } from '../../components/card.ts'
import { prose } from '../../components/text.ts'
import { html, type Html } from '../../html.ts'

/** An action, or one of its endpoints. */
export type Described = {
  readonly service: Service
  readonly name: string
  readonly action: Action
  readonly endpoint?: string
}

/** Deeper fields are collapsed at first, and so are long lists of fields. */
const MOST_OPEN_FIELDS = 14
const MOST_OPEN_DEPTH = 1
const MOST_SAMPLE_CHARS = 70

export function hasResponse({ service, name, endpoint }: Described): boolean {
  return answerSchema(service, name, endpoint) !== undefined
}

/** Every field of the answer with its type, meaning and a sample. `data`: the data of an example answer. */
export function responseSection(described: Described, data: unknown): Html | false {
  const { service, name, action, endpoint } = described
  const schema = answerSchema(service, name, endpoint)
  if (schema === undefined) return false
  const tree = listFieldTree(schema)
  const place = canBeJob(action)
    ? html`The fields of <code>result</code>, which <code>core/result</code> returns when the job has ended`
    : html`The fields of <code>data</code>`
  return html`<section aria-labelledby="response"><h2 id="response">Response</h2>
<p>${place}. Vendors may add others. ${tree.length === 0 && schema.description}</p>
${tree.length > 0 && fieldRows(toRows(tree, data, 1))}
<p class="muted">Next to <code>data</code> are <code>charged_cents</code>, <code>charged_micros</code> and <code>request_id</code>, as in every response.</p></section>`
}

function toRows(lines: readonly FieldLine[], sample: unknown, depth: number): FieldRow[] {
  const values = firstOf(sample)
  return lines.map(({ name, type, required, description, fields }) => {
    const value = values[name]
    const detail = sampleText(value)
    return {
      name,
      type: required === 'yes' ? type : `${type} · optional`,
      text: prose(description),
      ...(detail === undefined ? {} : { detail: html`Sample <code>${detail}</code>` }),
      fields: toRows(fields, value, depth + 1),
      isOpen: depth <= MOST_OPEN_DEPTH && fields.length <= MOST_OPEN_FIELDS,
    }
  })
}

/** The object itself, or the first of a list. */
function firstOf(sample: unknown): Readonly<Record<string, unknown>> {
  const value: unknown = Array.isArray(sample) ? sample[0] : sample
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function sampleText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'object')
    return undefined
  const text = JSON.stringify(value)
  return text.length > MOST_SAMPLE_CHARS ? `${text.slice(0, MOST_SAMPLE_CHARS)}…"` : text
}
