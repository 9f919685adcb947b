import type { Slots, Visitor } from './fair-slots.ts'

/**
 * Runs work in a place. While other accounts wait for one, work older than `shareMs` is interrupted,
 * waits again and restarts with twice the share, so that it ends also when others wait all the time.
 * Rejects like `take` and with the errors of the work.
 */
export async function runInTurn<Result>(
  slots: Pick<Slots, 'take'>,
  { accountId, signal }: Visitor,
  shareMs: number,
  work: (turn: AbortSignal) => Promise<Result>,
): Promise<Result> {
  for (let afterMs = shareMs; ; afterMs *= 2) {
    const interruption = new AbortController()
    const end = (): void => interruption.abort(new InterruptedTurn())
    const leave = await slots.take({ accountId, signal }, { afterMs, end })
    try {
      return await work(AbortSignal.any([signal, interruption.signal]))
    } catch (error) {
      if (!interruption.signal.aborted || signal.aborted) throw error
    } finally {
      leave()
    }
  }
}

/** The reason of a turn's signal when another account takes its place. */
export class InterruptedTurn extends Error {
  override readonly name = 'InterruptedTurn'
}
