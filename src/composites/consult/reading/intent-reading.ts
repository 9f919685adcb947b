import { topicOf } from '../../discover/topic.ts'
import { readEntities, type Entities } from './entities.ts'

export type IntentReading = {
  /** The caller's text in this turn. */
  readonly intent: string
  /** The topic of a search. */
  readonly topic: string
  readonly entities: Entities
  /** The words of the intent that do not describe the action. Empty until an action is known. */
  readonly subject: string
  /** The words at the end of the intent that describe the action, such as "on Google Trends". */
  readonly taskEnd: string
  /** Whether all words of the intent describe the action, so that it has no subject. */
  readonly isTaskOnly: boolean
  /** The time of the turn, to which "last week" relates. */
  readonly nowMs: number
}

export function readIntent(intent: string, nowMs: number): IntentReading {
  const entities = readEntities(intent, nowMs)
  return {
    intent,
    topic: topicOf(entities.bare),
    entities,
    subject: '',
    taskEnd: '',
    isTaskOnly: false,
    nowMs,
  }
}
