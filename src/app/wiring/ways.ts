import type { Way } from '../../calls/call.ts'
import { browserTime } from '../../calls/ways/browser-time.ts'
import { free } from '../../calls/ways/free.ts'
import { job } from '../../calls/ways/job.ts'
import { once } from '../../calls/ways/once.ts'
import { createSessionWay } from '../../calls/ways/session.ts'
import type { SessionDeps } from '../../resources/sessions/session-deps.ts'

/** The ways to carry out a call. The first one that takes a call runs it, and the last one takes every call. */
export function createWays(sessions: SessionDeps): readonly Way[] {
  return [browserTime, job, createSessionWay(sessions), free, once]
}
