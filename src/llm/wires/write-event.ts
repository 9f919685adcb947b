import type { Fields } from '../../lib/json-fields.ts'

/** A server-sent event with a name, as the Messages and Responses APIs send it. */
export function namedEvent(type: string, fields: Fields): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}
