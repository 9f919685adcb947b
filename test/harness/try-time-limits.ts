/**
 * Repeats `attempt` with longer time limits until it succeeds; the last limit decides. For guarantees
 * that depend on a time limit: a short one suits an idle machine, a long one a busy machine.
 */
export async function tryTimeLimits<Result>(
  limitsMs: readonly [number, ...number[]],
  attempt: (limitMs: number) => Promise<Result>,
): Promise<Result> {
  for (const limitMs of limitsMs.slice(0, -1)) {
    try {
      return await attempt(limitMs)
    } catch {
      // The machine may be busy. The next limit is longer.
    }
  }
  return attempt(limitsMs.at(-1) ?? limitsMs[0])
}
