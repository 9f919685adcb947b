/** Responses in progress. A stop of the process waits for those whose callers have disconnected. */
import { AppError } from '../../errors/app-error.ts'
import type { UpstreamCall } from './upstream-call.ts'

type OpenAnswer = { readonly work: Promise<unknown>; readonly calls: readonly UpstreamCall[] }

export class OpenAnswers {
  readonly #open = new Set<OpenAnswer>()

  /** `calls` may grow while `work` runs. */
  add(work: Promise<unknown>, calls: readonly UpstreamCall[]): void {
    const answer = { work, calls }
    const remove = (): boolean => this.#open.delete(answer)
    this.#open.add(answer)
    work.then(remove, remove)
  }

  /**
   * Waits until every response is settled. After `longestMs`, the rest are aborted and charged for
   * the part received.
   */
  async settled(longestMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { calls } of this.#open)
        for (const call of calls)
          call.abort(
            new AppError('shutting_down', 'The gateway stopped before the response was complete.'),
          )
    }, longestMs)
    while (this.#open.size > 0) await Promise.allSettled([...this.#open].map(({ work }) => work))
    clearTimeout(timer)
  }
}
