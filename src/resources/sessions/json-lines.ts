import type { Reply } from '../../catalog/vocabulary/wire.ts'

/** An answer in lines of JSON, or one alone; what is none is passed over. */
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
