import type { Action } from '../vocabulary/define.ts'

/**
 * The published time limit of an action. `timeoutMs` of a vendor's job limits single requests, so a
 * job publishes the time until it is given up.
 */
export function timeLimitMs(action: Action): number {
  return action.kind === 'job' ? action.poll.giveUpAfterSeconds * 1000 : action.timeoutMs
}
