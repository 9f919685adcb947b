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
 * A stream in the form of a whole answer, for a caller who asked for one of an upstream that streams all the same. Null for
 * what is no stream, or did not come to its end.
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

/** Told anew with each part, or once; everything else that is text comes in pieces. */
const TOLD_WHOLE = new Set(['role', 'id', 'type', 'name', 'finish_reason'])

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
  if (typeof before === 'string' && typeof value === 'string' && !TOLD_WHOLE.has(name))
    return before + value
  if (isFields(before) && isFields(value)) return grown(before, value)
  if (!Array.isArray(before) || !Array.isArray(value)) return value
  return name === 'tool_calls'
    ? callsWith(listedFields(before), value)
    : [...(before as unknown[]), ...(value as unknown[])]
}

/** The pieces of a call bear its index. */
function callsWith(calls: readonly Fields[], parts: unknown): readonly Fields[] {
  const byIndex = new Map(calls.map((call, place) => [call['index'] ?? place, call]))
  for (const [place, part] of listedFields(parts).entries())
    byIndex.set(part['index'] ?? place, grown(byIndex.get(part['index'] ?? place) ?? {}, part))
  return [...byIndex.values()]
}
