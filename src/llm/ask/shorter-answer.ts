/** A completion that money does not cover, made shorter: how long an answer would be covered. */
import { roomOf } from '../../calls/quote/smaller-call.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Quote } from '../bill/quote.ts'

/** The refusal of a hold, with the longest answer that what is left pays for; as it is where that is none. */
export function namingShorterAnswer(
  error: unknown,
  { maxTokens, tokensFor }: Pick<Quote, 'maxTokens' | 'tokensFor'>,
): unknown {
  if (!(error instanceof AppError)) return error
  const covered = tokensFor(roomOf(error))
  if (covered === 0 || covered >= maxTokens) return error
  const { code, message, param, details, retryAfterSeconds } = error
  return new AppError(code, message, {
    param,
    details,
    retryAfterSeconds,
    fix: `Ask for at most ${covered} tokens ("max_tokens", or "max_completion_tokens" if you send that): so long an answer is covered, one of ${maxTokens} is not. ${error.fix}`,
  })
}
