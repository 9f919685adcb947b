import { minMicros, type Micros } from '../../lib/money.ts'

/** One row of a job. `run` says what it has cost in the end, never more than `most`. */
export type RowTask = {
  /** All that the row can cost. */
  readonly most: Micros
  /** What its first call can cost: with less, the row does not start. */
  readonly least: Micros
  /** Told at once; the answer tells the same at the end. */
  readonly passOver?: () => void
  readonly run: () => Promise<Micros>
}

/**
 * Runs rows side by side as far as `available` covers all that those under way can cost. A row that it does not cover
 * waits for the rows before it, which may turn out cheaper; started with what is left then, or passed over. So which
 * rows run out is decided in the order of the rows and by what they cost, never by which of them was fastest.
 * Returns which rows were started.
 */
export async function runInRowOrder(
  available: Micros,
  rows: readonly RowTask[],
): Promise<boolean[]> {
  const started: boolean[] = []
  const underWay = new Set<Promise<void>>()
  const budget = { left: available }
  for (const { most, least, run, passOver } of rows) {
    while (budget.left < most && underWay.size > 0) await Promise.race(underWay)
    started.push(budget.left >= least)
    if (budget.left < least) {
      passOver?.()
      continue
    }
    const reserved = minMicros(budget.left, most)
    budget.left -= reserved
    const row: Promise<void> = run().then((cost) => {
      budget.left += reserved - cost
      underWay.delete(row)
    })
    // One row that breaks ends the job through `race` or `all`; the others must not end the process.
    row.catch(() => undefined)
    underWay.add(row)
  }
  await Promise.all(underWay)
  return started
}
