/** Converts responses of chat completions for tests, and checks the rules of the converted streams. */
import assert from 'node:assert/strict'
import { fieldsOf, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { EventFilter } from '../../stream/event-filter.ts'
import { dataOf, endOfEvent } from '../../stream/read-event.ts'
import { plainUsage } from '../../tokens/token-price.ts'
import type { AnswerFacts, CallerFormat } from '../caller-format.ts'
import { GENERIC } from '../dialects/dialect.ts'
import { messagesFromChat } from '../messages/messages-format.ts'
import type { ChatTarget } from '../own-form.ts'
import { responsesFromChat } from '../responses/responses-format.ts'

export const FACTS: AnswerFacts = {
  bill: { charge: 1n, cost: 1n, usage: plainUsage(1, 1), metering: 'reported' },
  modelId: 'm',
  isTest: false,
  wantsUsage: false,
}
export const TARGET: ChatTarget = { dialect: GENERIC, modelId: 'm', thinks: undefined }
export const messagesFormat = messagesFromChat({})
export const responsesFormat = responsesFromChat({})

export function eventsIn(text: string): Fields[] {
  const bytes = Buffer.from(text)
  const events: Fields[] = []
  for (let start = 0; start < bytes.length; start = endOfEvent(bytes, start)) {
    const data = dataOf(bytes.subarray(start, endOfEvent(bytes, start)))
    if (data !== null && data !== '[DONE]') events.push(JSON.parse(data) as Fields)
  }
  return events
}

export const streamOf = (deltas: readonly object[], finish: string): string =>
  [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]
    .map((event) => `data: ${JSON.stringify({ id: 'x', ...event })}\n\n`)
    .join('')

/** The events that the caller receives before the end of the response. */
export function passed(format: CallerFormat, deltas: readonly object[]): Fields[] {
  return eventsIn(
    format
      .createWriter('m')
      .pass(Buffer.from(streamOf(deltas, 'x')))
      ?.toString() ?? '',
  )
}

/** Every event of the upstream arrives alone. */
export function streamed(
  format: CallerFormat,
  deltas: readonly object[],
  finish = 'stop',
): Fields[] {
  const writer = format.createWriter('m')
  const written = streamOf(deltas, finish)
    .split(/(?<=\n\n)/)
    .map((event) => writer.pass(Buffer.from(event))?.toString() ?? '')
  return eventsIn(`${written.join('')}${writer.end(new EventFilter(), FACTS, null)}`)
}

export const whole = (format: CallerFormat, message: object, finish = 'stop'): Fields =>
  JSON.parse(
    format.writeWhole({ id: 'x', choices: [{ message, finish_reason: finish }] }, '', FACTS),
  ) as Fields

/** The events for a caller who requested a stream, of an upstream that sent a whole response. */
export const streamedWhole = (format: CallerFormat, message: object, finish = 'stop'): Fields[] =>
  eventsIn(format.writeEvents({ id: 'x', choices: [{ message, finish_reason: finish }] }, FACTS))

/** A part of an answer as its kind and its content. A call has its id, its name and its arguments. */
export type Seen = readonly [kind: string, ...content: unknown[]]

/** The blocks of a stream of Messages. Throws at the first event against the rules of the API. */
export function blocksOfStream(events: readonly Fields[]): Seen[] {
  const blocks: Fields[] = []
  let open: { block: Fields; words: string } | null = null
  if (events[0]?.['type'] !== 'message_start') assert.fail('The stream begins with no message.')
  for (const { type, index, content_block: block, delta } of events.slice(1, -2)) {
    const at = blocks.length
    if (type === 'content_block_start' && open === null && index === at)
      open = { block: fieldsOf(block), words: '' }
    else if (type === 'content_block_delta' && open !== null && index === at) {
      const { type: kind, text, thinking, partial_json: input } = fieldsOf(delta)
      const words = { text_delta: text, thinking_delta: thinking, input_json_delta: input }
      if (kind !== 'signature_delta')
        open.words += asText(words[kind as keyof typeof words] ?? [kind])
    } else if (type === 'content_block_stop' && open !== null && index === at) {
      blocks.push(filledBlock(open.block, open.words))
      open = null
    } else assert.fail(`${String(type)} ${String(index)} is out of order after ${at} blocks.`)
  }
  const last = events.slice(-2).map(({ type }) => type)
  if (open !== null || last.join(' ') !== 'message_delta message_stop')
    assert.fail(`The stream ends with ${last.join(' ')}.`)
  return blocks.map(seenBlock)
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function filledBlock(block: Fields, words: string): Fields {
  switch (block['type']) {
    case 'tool_use':
      return { ...block, input: words === '' ? {} : (JSON.parse(words) as unknown) }
    case 'thinking':
      return { ...block, thinking: words }
    default:
      return { ...block, text: words }
  }
}

export function seenBlock({ type, text, thinking, id, name, input }: Fields): Seen {
  if (type !== 'tool_use') return [String(type), text ?? thinking]
  return ['call', id, name, input]
}

/** The items of a stream of Responses. Throws at the first event against the rules of the API. */
export function itemsOfStream(events: readonly Fields[]): Seen[] {
  const items: Fields[] = []
  let open: { id: unknown; words: string } | null = null
  for (const [place, event] of events.entries()) {
    const { type, output_index: index, item, sequence_number: sequence } = event
    const kind = String(type)
    const at = items.length
    if (sequence !== place) assert.fail(`${kind} has the number ${String(sequence)}.`)
    if (index === undefined) continue
    if (index !== at) assert.fail(`${kind} ${asText(index)} is out of order.`)
    if (kind === 'response.output_item.added' && open === null)
      open = { id: fieldsOf(item)['id'], words: '' }
    else if (open === null || (fieldsOf(item)['id'] ?? event['item_id']) !== open.id)
      assert.fail(`${kind} is for an item that is not open.`)
    else if (kind === 'response.output_item.done') {
      if (wordsOfItem(fieldsOf(item)) !== open.words)
        assert.fail(`The item ends as ${JSON.stringify(item)} after ${open.words}.`)
      items.push(fieldsOf(item))
      open = null
    } else if (kind.endsWith('.delta')) open.words += String(event['delta'])
  }
  const last = fieldsOf(events.at(-1)?.['response'])
  if (JSON.stringify(last['output']) !== JSON.stringify(items))
    assert.fail(`The response ends as ${JSON.stringify(last['output'])}.`)
  return items.map(seenItem)
}

function wordsOfItem({ content, summary, arguments: text, input }: Fields): unknown {
  const [part] = [...listedFields(content), ...listedFields(summary)]
  return text ?? input ?? part?.['text'] ?? part?.['refusal']
}

export function seenItem(item: Fields): Seen {
  const { type, call_id: id, name, arguments: text, input } = item
  if (type === 'custom_tool_call') return ['call', id, name, input]
  if (type === 'function_call') return ['call', id, name, JSON.parse(String(text)) as unknown]
  return [type === 'reasoning' ? 'thinking' : 'text', wordsOfItem(item)]
}

export const seenMessage = (message: Fields): Seen[] =>
  listedFields(message['content']).map(seenBlock)
export const seenResponse = (response: Fields): Seen[] =>
  listedFields(response['output']).map(seenItem)
