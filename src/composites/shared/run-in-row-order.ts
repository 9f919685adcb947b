import { minMicros, type Micros } from '../../lib/money.ts'

/** One row of a job. */
export type RowTask = {
  /** The highest cost of the row. */
  readonly most: Micros
  /** The highest cost of the row's first call. The row does not start with less. */
  readonly least: Micros
  /** Called as soon as the row is known not to start. */
  readonly skip?: () => void
  /** Returns the row's cost, at most `most`. */
  readonly run: () => Promise<Micros>
}

/**
 * Runs rows concurrently while `available` covers the highest cost of all running rows. Any other
 * row waits for the rows before it, which may turn out cheaper, and then starts or is skipped.
 * The skipped rows therefore depend on the order and cost of the rows, never on their speed.
 * Returns for each row whether it started.
 */
export async function runInRowOrder(
  available: Micros,
  rows: readonly RowTask[],
): Promise<boolean[]> {
  const started: boolean[] = []
  const running = new Set<Promise<void>>()
  const budget = { left: available }
  for (const { most, least, run, skip } of rows) {
    while (budget.left < most && running.size > 0) await Promise.race(running)
    started.push(budget.left >= least)
    if (budget.left < least) {
      skip?.()
      continue
    }
    const reserved = minMicros(budget.left, most)
    budget.left -= reserved
    const row: Promise<void> = run().then((cost) => {
      budget.left += reserved - cost
      running.delete(row)
    })
    // `race` or `all` reports the first failed row. Further rejections must not end the process.
    row.catch(() => undefined)
    running.add(row)
  }
  await Promise.all(running)
  return started
}
