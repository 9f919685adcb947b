import type { CallTools } from '../../catalog/vocabulary/handlers.ts'

/** What is left for writing the answer. */
const RESERVE_MS = 5_000

/**
 * Waits for `work`, but not until the time of the call or job is up: rows still under way then are answered as they
 * are, and those that are ready are not lost to one that is slow. `work` goes on by itself; what it does to a row
 * after that must not change the answer.
 */
export async function beforeTimeIsUp(
  { signal, timeoutMs }: Pick<CallTools, 'signal' | 'timeoutMs'>,
  work: Promise<unknown>,
): Promise<void> {
  const outOfTime = AbortSignal.any([
    signal,
    AbortSignal.timeout(Math.max(0, timeoutMs - RESERVE_MS)),
  ])
  await Promise.race([work, aborted(outOfTime)])
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
