import type { Entities } from './entities.ts'

export type IntentReading = {
  /** The caller's text in this turn. */
  readonly intent: string
  /** The topic of a search. */
  readonly topic: string
  readonly entities: Entities
}
