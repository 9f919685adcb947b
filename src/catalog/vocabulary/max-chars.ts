import type { Action } from './action.ts'

/** The least that a caller can set. An envelope and its list of cut fields need some of it. */
export const LEAST_MAX_CHARS = 2_000
export const MOST_MAX_CHARS = 10_000_000

/** Whether `max_chars` in the body limits the answer: an action that returns text of third parties, unless it has a parameter of that name. */
export function acceptsMaxChars({ untrustedContent, input }: Action): boolean {
  return untrustedContent && !('max_chars' in ((input as { properties?: object }).properties ?? {}))
}
