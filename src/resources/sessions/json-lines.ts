import type { Reply } from '../../catalog/vocabulary/wire.ts'

/** Parses a reply of JSON lines, or of one JSON value. Skips lines that are not JSON. */
export function linesOf({ body }: Pick<Reply, 'body'>): readonly unknown[] {
  if (typeof body !== 'string') return [body]
  return body.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}
