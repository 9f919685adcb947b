import type { Action } from '../vocabulary/define.ts'

/** How long an action may take, as it is published. What a vendor's job has in `timeoutMs` is for each of its requests: of the job it is the time until it is given up. */
export function timeLimitMs(action: Action): number {
  return action.kind === 'job' ? action.poll.giveUpAfterSeconds * 1000 : action.timeoutMs
}
