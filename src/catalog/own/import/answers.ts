/** The simulated answers and the outcome rules of an action, from the responses of its operation. */
import { isErrorAlone } from '../../answers/vendor-failure.ts'
import { isFilled } from '../../answers/filled.ts'
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { joinPointer } from '../../../lib/json-pointer.ts'
import type { Rule, Simulated } from '../own-file.ts'
import { deref, type Document } from './document.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'
import { sampleOf } from './sample.ts'
import { convertSchema, type Conversion } from './schema.ts'

const JSON_TYPE = /json/i
const TEXT_TYPE = /^(text\/|application\/(xml|yaml|[\w.-]+\+xml))|^\*\/\*/i
const STREAM_TYPE = /event-stream|ndjson|jsonl|json-seq|x-json-stream/i
/** Members of an answer that may report an error under a status of success. */
const ERROR_MEMBER = /^(errors?|error_?(code|message)|fault|refusalReason)$/
const LARGEST_SAMPLE = 20_000
const NOT_DELIVERED = ['202', '204', '205']
const UNDESCRIBED = { result: 'example' }

export type Answers = {
  readonly simulate: readonly Simulated[]
  readonly outcome: readonly Rule[]
}

/** Throws Refusal for an operation whose answers a call cannot deliver. */
export function readAnswers(operation: Operation, conversion: Conversion): Answers {
  const { document, note } = conversion
  const responses = fieldsOf(operation.fields['responses'])
  const [status, response] = successOf(document, responses)
  const { body, members } = sampleAnswer(response, { ...conversion, isAnswer: true })
  const errors = members.filter((name) => ERROR_MEMBER.test(name))
  if (errors.length > 0)
    note(
      `an answer with a filled ${errors.map((name) => `"${name}"`).join(' or ')} is not charged: remove the rule if it is a result`,
    )
  const isMiss = operation.method === 'GET'
  return {
    simulate: [{ status, body }],
    outcome: [
      ...(isMiss ? [{ when: { status: [404] }, is: 'empty' } as const] : []),
      ...errors.map(
        (name) =>
          ({
            when: { at: joinPointer('', name), blank: false },
            is: 'failed',
            code: 'upstream_rejected',
          }) as const,
      ),
      { else: 'done' },
    ],
  }
}

function successOf(document: Document, responses: Fields): readonly [number, Fields] {
  const read = (status: string): Fields => fieldsOf(deref(document, responses[status]))
  const statuses = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status))
  const answering = statuses.filter((status) => !NOT_DELIVERED.includes(status))
  const described = answering.find((status) => read(status)['content'] !== undefined)
  const [status = described] = described === undefined ? answering : []
  if (status !== undefined) return [/XX/i.test(status) ? 200 : Number(status), read(status)]
  if (statuses.includes('202'))
    throw new Refusal('answers 202 before its work is done, and own actions do not wait for it')
  if (statuses.length > 0) throw new Refusal('answers without content, so no call would be charged')
  if (Object.keys(responses).some((one) => one.startsWith('3')))
    throw new Refusal('answers with a redirect')
  return [200, {}]
}

function sampleAnswer(
  response: Fields,
  conversion: Conversion,
): { readonly body: unknown; readonly members: readonly string[] } {
  const content = Object.entries(fieldsOf(response['content']))
  if (content.length === 0) {
    conversion.note('the document describes no answer: the simulated one is made up')
    return { body: UNDESCRIBED, members: [] }
  }
  const json = content.find(([type]) => JSON_TYPE.test(type) && !STREAM_TYPE.test(type))
  const text = content.find(([type]) => TEXT_TYPE.test(type) && !STREAM_TYPE.test(type))
  const [type, media] = json ?? text ?? []
  if (type === undefined)
    throw new Refusal(
      `answers ${content.map(([one]) => one).join(', ')}, which is neither JSON nor text`,
    )
  if (json === undefined && !type.startsWith('*')) return { body: 'example', members: [] }
  const { schema, itemSchema } = fieldsOf(media)
  if (schema === undefined && itemSchema !== undefined) throw new Refusal('answers with a stream')
  const converted = convertSchema(schema ?? {}, conversion)
  const members = Object.keys(fieldsOf(converted['properties']))
  const sample =
    exampleOf(fieldsOf(media), conversion) ?? sampleOf(converted, conversion.hints, true)
  return { body: deliverable(sample), members }
}

function exampleOf({ example, examples }: Fields, { document }: Conversion): unknown {
  if (example !== undefined) return example
  const [first] = isFields(examples) ? Object.values(examples) : []
  return first === undefined ? undefined : fieldsOf(deref(document, first))['value']
}

/** An answer that a call delivers: the example of an action must. */
function deliverable(sample: unknown): unknown {
  const kept = isFields(sample)
    ? Object.fromEntries(Object.entries(sample).filter(([name]) => !ERROR_MEMBER.test(name)))
    : sample
  const isUsable =
    isFilled([kept]) &&
    JSON.stringify(kept).length <= LARGEST_SAMPLE &&
    !isErrorAlone({ status: 200, headers: {}, body: kept })
  return isUsable ? kept : UNDESCRIBED
}
