/**
 * Tries with one time limit after the other, from one that suits a fast machine to one that suits any, until what `attempt`
 * promises holds; the last one decides. For promises that a limit is part of: a machine that is busy just then breaks them with a short one.
 */
export async function withSomeLimit<Result>(
  limitsMs: readonly [number, ...number[]],
  attempt: (limitMs: number) => Promise<Result>,
): Promise<Result> {
  for (const limitMs of limitsMs.slice(0, -1)) {
    try {
      return await attempt(limitMs)
    } catch {
      // Too little time for this machine, perhaps.
    }
  }
  return attempt(limitsMs.at(-1) ?? limitsMs[0])
}
