import { AppError } from '../errors/app-error.ts'
import type { CallTally, EndCode, NO_LANE } from '../lib/metrics/call-tally.ts'
import type { Clock } from '../lib/clock.ts'
import type { Mode } from '../lib/mode.ts'
import type { Lane } from './lanes/lanes.ts'

/** What is known of a call while it goes on. */
export type Course = {
  /** Of the catalog: never what a caller wrote. */
  service: string
  lane: Lane['kind'] | typeof NO_LANE
  /** Why an answer that had begun was broken off. */
  brokenOff?: EndCode
}

export type Tallying = { readonly tally?: CallTally; readonly now: Clock }

/** Counts how `work` ends, beside whoever waits for it; nothing where nobody counts. */
export function tallied<Answer extends { readonly replayed: boolean } | null>(
  { tally, now }: Tallying,
  mode: Mode,
  course: Course,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (tally === undefined) return work()
  const startedMs = now()
  const working = work()
  working.then(
    (answer) =>
      tally.called(
        mode,
        course.service,
        answer?.replayed === true ? 'replayed' : course.lane,
        course.brokenOff ?? 'ok',
        now() - startedMs,
      ),
    (error: unknown) =>
      tally.called(
        mode,
        course.service,
        course.lane,
        error instanceof AppError ? error.code : 'internal',
        now() - startedMs,
      ),
  )
  return working
}
