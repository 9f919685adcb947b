/** What services over public records have in common. */
import { done, empty, type Data, type Outcome } from './outcome.ts'

/** The answer, or a miss that the caller can read in it when there are no rows. */
export function found(data: Data, rows: readonly unknown[]): Outcome {
  return rows.length > 0 ? done(data) : empty(data)
}
