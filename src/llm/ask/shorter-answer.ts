import { readAvailable } from '../../calls/quote/smaller-call.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Quote } from '../bill/quote.ts'

/**
 * Throws the error of a rejected hold. Its fix names the longest response that the remaining credit
 * covers, if any.
 */
export function rejectWithShorterAnswer(
  error: unknown,
  { maxTokens, tokensFor }: Pick<Quote, 'maxTokens' | 'tokensFor'>,
): never {
  if (!(error instanceof AppError)) throw error
  const covered = tokensFor(readAvailable(error))
  if (covered === 0 || covered >= maxTokens) throw error
  const { code, message, param, details, retryAfterSeconds } = error
  throw new AppError(code, message, {
    param,
    details,
    retryAfterSeconds,
    fix: `Request at most ${covered} tokens ("max_tokens", or "max_completion_tokens" if you send that): this covers ${covered} tokens, but not ${maxTokens}. ${error.fix}`,
  })
}
