/** The responses of the legacy completions API, converted from chat completions. */
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import { usageBlock } from '../../bill/receipt.ts'
import { wordsOf } from '../../stream/message-words.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import { END_MARK, errorEvent, eventOf, usageEvent } from '../../stream/write-events.ts'
import type { CallerFormat } from '../caller-format.ts'

const OBJECT = 'text_completion'

export const textFormat: CallerFormat = {
  createWriter: (modelId) => ({
    pass(events) {
      const written = textEvents(events, modelId)
      return written === '' ? null : Buffer.from(written)
    },
    end(reader, { wantsUsage, ...facts }, failure) {
      const sent = reader.usageEvent ?? { ...reader.first, usage: undefined }
      const usage = wantsUsage ? usageEvent({ sent, ...facts, object: OBJECT }) : ''
      return `${usage}${failure === null ? '' : errorEvent(failure)}${END_MARK}`
    },
    fail: (error) => errorEvent(error) + END_MARK,
  }),
  writeWhole: (json, _text, { bill, modelId, isTest }) =>
    JSON.stringify({
      ...headOf(json, modelId),
      choices: listedFields(json['choices']).map(textChoice),
      usage: usageBlock(json['usage'], bill),
      ...(isTest ? { test: true } : {}),
    }),
  writeEvents(json, { wantsUsage, ...facts }) {
    const usage = wantsUsage ? usageEvent({ sent: json, ...facts, object: OBJECT }) : ''
    const head = headOf(json, facts.modelId)
    const choices = listedFields(json['choices']).map((choice, place) =>
      eventOf({ ...head, choices: [textChoice(choice, place)] }),
    )
    return `${choices.join('')}${usage}${END_MARK}`
  },
}

function textEvents(events: Buffer, modelId: string): string {
  let written = ''
  for (let start = 0; start < events.length;) {
    const end = endOfEvent(events, start)
    const data = dataOf(events.subarray(start, end))
    const event = data === null ? null : parseFields(data)
    // A comment keeps the connection alive.
    if (data === null) written += ': waiting\n\n'
    else if (event !== null) written += textEvent(event, modelId)
    start = end
  }
  return written
}

/** Events without text or an end, such as those with a role or with hidden thoughts, are left out. */
function textEvent(event: Fields, modelId: string): string {
  const choices = listedFields(event['choices'])
    .map(textChoice)
    .filter(({ text, finish_reason: reason }) => text !== '' || reason !== null)
  return choices.length === 0 ? '' : eventOf({ ...headOf(event, modelId), choices })
}

function headOf({ id, created, model, system_fingerprint }: Fields, modelId: string): Fields {
  return { id, object: OBJECT, created, model: model ?? modelId, system_fingerprint }
}

function textChoice(choice: Fields, place: number) {
  const { text, refusal } = wordsOf(fieldsOf(choice['message'] ?? choice['delta']))
  return {
    index: choice['index'] ?? place,
    text: text + refusal,
    logprobs: null,
    finish_reason: choice['finish_reason'] ?? null,
  }
}
