import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import { endOnce } from './end-session.ts'
import type { SessionDeps } from './session-deps.ts'
import { runningMs } from './session-meter.ts'

/**
 * Ends an open session whose machine another account needs. Throws AppError `upstream_busy` while a
 * program runs in it, or has ended and is not charged yet.
 */
export async function preemptSession(deps: SessionDeps, id: Id): Promise<void> {
  let isRunning = false
  await endOnce(deps, id, 'preempted', (row) => {
    isRunning = runningMs(row, deps.now()).length > 0
    return !isRunning
  })
  if (isRunning) throw new AppError('upstream_busy', 'A program runs in this session.')
}
