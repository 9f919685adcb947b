import { collapseSpaces } from '../../discover/idioms.ts'
import { GENERIC, topicOf } from '../../discover/topic.ts'
import { readEntities, type Entities } from './entities.ts'
import { withoutVocabulary } from './foreign-words.ts'
import { isEnglish, withoutLanguage } from './languages.ts'

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
    topic: isEnglish(intent) ? topicOf(entities.bare) : foreignTopic(entities.bare),
    entities,
    subject: '',
    taskEnd: '',
    isTaskOnly: false,
    nowMs,
  }
}

const SEARCHES = new Set([
  ...GENERIC,
  ...'find search look show list who what how much when where get check read encyclopedia wikipedia write send create make generate answer question explain ask deep crawl scrape'.split(
    ' ',
  ),
])

/** The topic without the request for it and its source: "Balkonkraftwerke" of "suche im Web nach Balkonkraftwerken". */
function foreignTopic(bare: string): string {
  return withoutVocabulary(
    collapseSpaces(withoutLanguage(bare)),
    ({ text, isFiller, english }) =>
      isFiller ||
      SEARCHES.has(text.toLowerCase()) ||
      english.some((meaning) => SEARCHES.has(meaning)),
  )
}
