import type { Data, Outcome } from '../vocabulary/outcome.ts'
import { maybe, text } from '../vocabulary/returns.ts'

/** The field of an in-house check that could not be made. */
export const uncheckedField = {
  unchecked: maybe(
    text(
      'Only if this gateway checks addresses itself and could not check this one: the reason. The answer is then not charged.',
    ),
  ),
}

/** The outcome of an answer with `unchecked`, which is free; undefined for any other answer. */
export function uncheckedOutcome(body: Data): Outcome | undefined {
  return typeof body['unchecked'] === 'string'
    ? { kind: 'empty', data: body, isFree: true }
    : undefined
}
