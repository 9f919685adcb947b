/** What services over public records have in common. */
import { done, empty, type Data, type Outcome } from './outcome.ts'
import { isTextual, type Reply } from './wire.ts'

/** The answer, or a miss that the caller can read in it when there are no rows. */
export function found(data: Data, rows: readonly unknown[]): Outcome {
  return rows.length > 0 ? done(data) : empty(data)
}

/** A file as it came, for requests that are `binary`: text, or base64 when its content type is not textual. */
export function fileFound({ body, headers }: Reply, data: Data): Outcome {
  const contentType = headers['content-type'] ?? ''
  const content = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  const file = { ...data, content_type: contentType, encoding: isTextual(contentType) ? 'text' : 'base64', content }
  return content === '' || content === '""' ? empty(file) : done(file)
}
