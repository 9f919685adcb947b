import { EventFilter } from './event-filter.ts'
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../lib/json-fields.ts'
import { dataOf, EMPTY_LINE, endOfEvent } from './read-event.ts'

/**
 * Converts a stream to a whole response, for upstreams that stream although the caller requested no
 * stream. Null if the bytes are not a complete stream.
 */
export function completionOfEvents(stream: Buffer): Fields | null {
  const filter = new EventFilter()
  const passed = filter.push(Buffer.concat([stream, EMPTY_LINE])) ?? EMPTY_LINE
  if (filter.error !== null) return { error: filter.error }
  if (filter.first === null) return null
  const choices = new Map<unknown, Record<string, unknown>>()
  for (let start = 0; start < passed.length; start = endOfEvent(passed, start)) {
    const event = parseFields(dataOf(passed.subarray(start, endOfEvent(passed, start))) ?? '')
    for (const [place, { index = place, delta, ...others }] of listedFields(
      event?.['choices'],
    ).entries()) {
      const choice = choices.get(index) ?? { index, message: { role: 'assistant', content: null } }
      choices.set(index, {
        ...grown(choice, others),
        message: grown(fieldsOf(choice['message']), fieldsOf(delta)),
      })
    }
  }
  const isWhole =
    filter.isDone ||
    [...choices.values()].every(({ finish_reason: reason }) => typeof reason === 'string')
  return isWhole
    ? {
        ...filter.first,
        object: 'chat.completion',
        choices: [...choices.values()],
        usage: filter.usageEvent?.['usage'],
      }
    : null
}

/** Fields that are repeated or sent once; all other text fields arrive in pieces. */
const NOT_APPENDED = new Set(['role', 'id', 'type', 'name', 'finish_reason'])

function grown(whole: Fields, part: Fields): Record<string, unknown> {
  const added = Object.entries(part).map(
    ([name, value]) => [name, together(name, whole[name], value)] as const,
  )
  return { ...whole, ...Object.fromEntries(added) }
}

function together(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null)
    return name === 'tool_calls' ? callsWith([], value) : value
  if (value === undefined || value === null) return before
  if (typeof before === 'string' && typeof value === 'string' && !NOT_APPENDED.has(name))
    return before + value
  if (isFields(before) && isFields(value)) return grown(before, value)
  // Some upstreams send thoughts as parts and the text after them as text.
  if (name === 'content' && typeof before !== typeof value)
    return [...asParts(before), ...asParts(value)]
  if (!Array.isArray(before) || !Array.isArray(value)) return value
  return name === 'tool_calls'
    ? callsWith(listedFields(before), value)
    : [...(before as unknown[]), ...(value as unknown[])]
}

function asParts(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}

/** Pieces of a tool call have its index. */
function callsWith(calls: readonly Fields[], parts: unknown): readonly Fields[] {
  const byIndex = new Map(calls.map((call, place) => [call['index'] ?? place, call]))
  for (const [place, part] of listedFields(parts).entries())
    byIndex.set(part['index'] ?? place, grown(byIndex.get(part['index'] ?? place) ?? {}, part))
  return [...byIndex.values()]
}
