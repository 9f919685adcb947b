/** The Responses API of upstreams that speak it. */
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { readInBandError } from '../../ask/upstream-error.ts'
import { Delivered } from '../../stream/delivered.ts'
import { NativeReader, type EventCodec } from '../native-reader.ts'
import type { UpstreamWire } from '../wire.ts'
import { readResponseUsage } from './response-usage.ts'

const LAST: readonly unknown[] = ['response.completed', 'response.incomplete']

const EVENTS: EventCodec = {
  matters: /"type"\s*:\s*"(?:response\.(?:created|completed|incomplete|failed)|error)"/,
  idOf: ({ response }) => fieldsOf(response)['id'],
  errorOf({ type, error, response, message, code, param }) {
    if (type === 'response.failed') return readInBandError(fieldsOf(response)['error'])
    return type === 'error' || error != null
      ? readInBandError(error ?? { message, code, param })
      : null
  },
  usageIn: ({ type, response }) =>
    LAST.includes(type) ? fieldsOf(fieldsOf(response)['usage']) : null,
  readUsage: readResponseUsage,
  isFinish: ({ type }) => LAST.includes(type),
  isLast: ({ type }) => LAST.includes(type),
}

export const responsesWire: UpstreamWire = {
  name: 'responses',
  path: '/responses',
  createReader: () => new NativeReader(EVENTS),
  createDelivered: () => new Delivered(choicesOfEvent),
  readWhole: parseFields,
  errorOf: ({ status, error }) =>
    status === 'failed' || error != null ? readInBandError(error) : null,
  isAnswered: ({ output }) => Array.isArray(output),
  choicesOf: choicesOfResponse,
  usageOf: ({ usage }) => readResponseUsage(usage),
}

/** The words of an event as choices of chat completions. */
function choicesOfEvent({ type, delta, output_index: index, item }: Fields): unknown {
  switch (type) {
    case 'response.created':
      return [{ index: 0, delta: {} }]
    case 'response.output_text.delta':
      return [{ index: 0, delta: { content: delta } }]
    case 'response.refusal.delta':
      return [{ index: 0, delta: { refusal: delta } }]
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return [{ index: 0, delta: { reasoning: delta } }]
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: delta } }] } }]
    case 'response.output_item.added':
      return [
        {
          index: 0,
          delta: { tool_calls: [{ index, function: { name: fieldsOf(item)['name'] } }] },
        },
      ]
    default:
      return LAST.includes(type) ? [{ index: 0, delta: {}, finish_reason: 'stop' }] : []
  }
}

/** The words of a whole response as choices of chat completions. */
function choicesOfResponse({ output }: Fields): unknown {
  return listedFields(output).map((item, index) => {
    const { content, summary, name, arguments: text, input } = item
    const parts = listedFields(content)
    return {
      index: 0,
      message: {
        content: parts.filter(({ type }) => type === 'output_text'),
        refusal: parts.find(({ type }) => type === 'refusal')?.['refusal'],
        reasoning: [...listedFields(summary), ...parts]
          .filter(({ type }) => type === 'summary_text' || type === 'reasoning_text')
          .map(({ text: thought }) => thought)
          .join(''),
        tool_calls: [{ index, function: { name, arguments: text ?? input } }],
      },
      finish_reason: 'stop',
    }
  })
}
