import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import type { CallerFormat } from '../caller-format.ts'
import { nativeFormat } from '../native-format.ts'
import { namedEvent } from '../write-event.ts'
import { responseOfCompletion } from './response-of-completion.ts'
import { failedResponse, ResponseWriter } from './response-writer.ts'

/** Responses from an upstream that speaks only chat completions. `request`: the caller's body. */
export function responsesFromChat(request: Fields): CallerFormat {
  return {
    createWriter: (modelId) => new ResponseWriter(request, modelId),
    writeWhole: (json, _text, facts) => JSON.stringify(responseOfCompletion(request, json, facts)),
    writeEvents: (json, facts) =>
      new ResponseWriter(request, facts.modelId).writeWhole(json, facts),
  }
}

/** Responses from an upstream that speaks them. */
export const nativeResponses: CallerFormat = nativeFormat({
  eventsOf: eventsOfResponse,
  failureEvent: (error, begun) =>
    failedResponse(error, begun === null ? null : fieldsOf(begun['response']), 0),
})

/** Converts a whole response to its shortest stream: each item in one piece. */
function eventsOfResponse(response: Fields): string {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const events: [string, Fields][] = [
    ['response.created', { response: begun }],
    ...listedFields(response['output']).flatMap((item, index): [string, Fields][] => [
      ['response.output_item.added', { output_index: index, item }],
      ...textDeltas(item, index),
      ['response.output_item.done', { output_index: index, item }],
    ]),
    [
      response['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed',
      { response },
    ],
  ]
  return events
    .map(([type, fields], place) => namedEvent(type, { ...fields, sequence_number: place }))
    .join('')
}

function textDeltas({ id, content }: Fields, index: number): [string, Fields][] {
  return listedFields(content).flatMap(({ type, text }, place): [string, Fields][] =>
    type === 'output_text'
      ? [
          [
            'response.output_text.delta',
            { item_id: id, output_index: index, content_index: place, delta: text, logprobs: [] },
          ],
        ]
      : [],
  )
}
