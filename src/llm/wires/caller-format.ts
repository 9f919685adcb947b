/** Writes responses in the format of the caller's API. */
import type { AppError } from '../../errors/app-error.ts'
import type { Fields } from '../../lib/json-fields.ts'
import type { Bill } from '../bill/bill.ts'
import type { EventReader } from '../stream/event-reader.ts'

export type AnswerFacts = {
  readonly bill: Bill
  /** The caller's name for the model, if the upstream did not name it. */
  readonly modelId: string
  readonly isTest: boolean
  /** Whether the caller of a chat stream requested the usage. */
  readonly wantsUsage: boolean
}

export type StreamWriter = {
  /** The upstream's events in the caller's format, or null. */
  pass(events: Buffer): Buffer | null
  /** The last events, after the charge is settled. */
  end(reader: EventReader, facts: AnswerFacts, failure: AppError | null): string
  /** The end of a stream that could not be billed. */
  fail(error: AppError): string
}

/** For one wire of the caller and one of the upstream. */
export type CallerFormat = {
  createWriter(modelId: string): StreamWriter
  /** A whole response. `text` is the upstream's. */
  writeWhole(json: Fields, text: string, facts: AnswerFacts): string
  /** A whole response of the upstream for a caller that requested a stream. */
  writeEvents(json: Fields, facts: AnswerFacts): string
}
