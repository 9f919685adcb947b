import { AppError } from '../errors/app-error.ts'
import type { CallTally, EndCode, NO_LANE } from '../lib/metrics/call-tally.ts'
import type { Clock } from '../lib/clock.ts'
import type { Mode } from '../lib/mode.ts'
import type { Lane } from './lanes/lane-parts.ts'

/** The labels of a call in metrics. */
export type CallLabels = {
  /** A name from the catalog, never the caller's text. */
  service: string
  lane: Lane['kind'] | typeof NO_LANE
  /** Why an answer that had begun broke off. */
  brokenOff?: EndCode
}

export type TallyDeps = { readonly tally?: CallTally; readonly now: Clock }

/** Counts how `work` ends. Without a tally it only runs `work`. */
export function tallyCall<Answer extends { readonly replayed: boolean } | null>(
  { tally, now }: TallyDeps,
  mode: Mode,
  labels: CallLabels,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (tally === undefined) return work()
  const startedMs = now()
  const working = work()
  working.then(
    (answer) =>
      tally.called(
        mode,
        labels.service,
        answer?.replayed === true ? 'replayed' : labels.lane,
        labels.brokenOff ?? 'ok',
        now() - startedMs,
      ),
    (error: unknown) =>
      tally.called(
        mode,
        labels.service,
        labels.lane,
        error instanceof AppError ? error.code : 'internal',
        now() - startedMs,
      ),
  )
  return working
}
