import { EventFilter } from './event-filter.ts'
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../lib/json-fields.ts'
import { dataOf, EMPTY_LINE, endOfEvent } from './read-event.ts'
import type { StreamedCall } from './streamed-call.ts'
import { callsIn, ToolCalls } from './tool-calls.ts'

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
  const calls = new Map<unknown, JoinedCalls>()
  for (let start = 0; start < passed.length; start = endOfEvent(passed, start)) {
    const event = parseFields(dataOf(passed.subarray(start, endOfEvent(passed, start))) ?? '')
    for (const [place, { index = place, delta, ...others }] of listedFields(
      event?.['choices'],
    ).entries()) {
      const choice = choices.get(index) ?? { index, message: { role: 'assistant', content: null } }
      const { tool_calls: _calls, ...words } = fieldsOf(delta)
      const joined = calls.get(index) ?? new JoinedCalls()
      calls.set(index, joined)
      joined.add(callsIn(fieldsOf(delta)))
      choices.set(index, {
        ...grown(choice, others),
        message: { ...grown(fieldsOf(choice['message']), words), ...joined.field },
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
  if (before === undefined || before === null) return value
  if (value === undefined || value === null) return before
  if (typeof before === 'string' && typeof value === 'string' && !NOT_APPENDED.has(name))
    return before + value
  if (isFields(before) && isFields(value)) return grown(before, value)
  // Some upstreams send thoughts as parts and the text after them as text.
  if (name === 'content' && typeof before !== typeof value)
    return [...asParts(before), ...asParts(value)]
  if (!Array.isArray(before) || !Array.isArray(value)) return value
  return [...(before as unknown[]), ...(value as unknown[])]
}

function asParts(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}

/** The tool calls of a choice, with the fields that only some upstreams have. */
class JoinedCalls {
  readonly #calls = new ToolCalls()
  readonly #fields = new Map<StreamedCall, Fields>()

  add(pieces: readonly Fields[]): void {
    for (const [place, call] of this.#calls.add(pieces).entries())
      this.#fields.set(call, grown(this.#fields.get(call) ?? {}, pieces[place] ?? {}))
  }

  /** The field of the message; empty without calls. */
  get field(): Fields {
    const calls = [...this.#fields].map(([call, fields], index) => this.#whole(call, fields, index))
    return calls.length === 0 ? {} : { tool_calls: calls }
  }

  #whole(call: StreamedCall, fields: Fields, index: number): Fields {
    const { id, name, text, isCustom } = call
    const kind = isCustom ? 'custom' : 'function'
    const named = { ...fieldsOf(fields[kind]), name, [isCustom ? 'input' : 'arguments']: text }
    return { ...fields, index, ...(id === '' ? {} : { id }), [kind]: named }
  }
}
