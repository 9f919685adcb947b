import type { CallTools } from '../../catalog/vocabulary/handlers.ts'

/** Time reserved for building the response. */
const RESERVE_MS = 5_000

/**
 * Waits for `work`, at most until shortly before the deadline of the call or job. Finished rows are
 * then returned although others are still running. `work` continues; its later changes to a row
 * must not reach the response.
 */
export async function beforeDeadline(
  { signal, timeoutMs }: Pick<CallTools, 'signal' | 'timeoutMs'>,
  work: Promise<unknown>,
): Promise<void> {
  const outOfTime = AbortSignal.any([
    signal,
    AbortSignal.timeout(Math.max(0, timeoutMs - RESERVE_MS)),
  ])
  await Promise.race([work, whenAborted(outOfTime)])
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
