import { fieldsOf, isFields, listedFields, type Fields } from '../../lib/json-fields.ts'
import { eventOf } from './write-events.ts'

/**
 * Converts a whole response to a stream, without usage and end mark: for each choice an event with
 * its message and one with its finish reason. Adds the "index" by which clients assemble tool
 * calls.
 */
export function eventsOfCompletion(completion: Fields): string {
  const { choices, usage: _usage, ...shared } = completion
  const chunk = (choice: Fields): string =>
    eventOf({ ...shared, object: 'chat.completion.chunk', choices: [choice] })
  return listedFields(choices)
    .map((choice, place) => {
      const { message, logprobs, finish_reason: reason, ...others } = choice
      const index = choice['index'] ?? place
      return (
        chunk({ index, delta: deltaOf(fieldsOf(message)), logprobs, finish_reason: null }) +
        chunk({ ...others, index, delta: {}, finish_reason: reason ?? 'stop' })
      )
    })
    .join('')
}

function deltaOf(message: Fields): Fields {
  const { tool_calls: calls } = message
  const numbered = Array.isArray(calls)
    ? calls.filter(isFields).map((call, index) => ({ index, ...call }))
    : undefined
  return { role: 'assistant', ...message, tool_calls: numbered }
}
