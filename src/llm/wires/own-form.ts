/** A request of another API than chat completions. */
import { AppError } from '../../errors/app-error.ts'
import type { Fields } from '../../lib/json-fields.ts'
import type { Prompt } from '../bill/prompt.ts'
import type { Candidate } from '../lists/model.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { WireName } from './wire.ts'

/** The model of an upstream that speaks only chat completions. */
export type ChatTarget = {
  readonly dialect: Dialect
  /** The name of the model for callers. */
  readonly modelId: string
  /** Whether the model can think; undefined if unknown. */
  readonly thinks: boolean | undefined
}

export type OwnForm = {
  readonly wire: Exclude<WireName, 'chat'>
  /** The caller's body without the gateway's own fields, in its order. */
  readonly body: Fields
  /** The field with the longest response. */
  readonly limitField: 'max_tokens' | 'max_output_tokens'
  /** Headers of the caller that a candidate's upstream receives. */
  headersFor(candidate: Candidate): Readonly<Record<string, string>>
  readonly prompt: Prompt
  /** The error for an upstream that speaks this API, which may start work for an unknown type. */
  readonly unknown: AppError | null
  /**
   * The body for an upstream that speaks only chat completions, before `toDialect`. Throws AppError
   * invalid_params for a request that they cannot express.
   */
  toChat(target: ChatTarget): Fields
}

export function invalidField(
  param: string,
  message: string,
  fix = 'Correct the body and send it again.',
): AppError {
  return new AppError('invalid_params', message, { ...(param === '' ? {} : { param }), fix })
}

/** The error for an upstream that cannot express a part of the request. */
export function untranslatable(param: string, what: string): AppError {
  return invalidField(
    param,
    `The upstream of this model speaks only chat completions, which have no ${what}.`,
    `Remove it, or choose a model of an upstream that speaks this API.`,
  )
}
