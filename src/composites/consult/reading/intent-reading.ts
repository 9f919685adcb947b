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
  /** The name of the action. Empty until an action is known. */
  readonly actionName: string
}

export function readIntent(intent: string, nowMs: number): IntentReading {
  const entities = readEntities(intent, nowMs)
  return {
    intent,
    topic: isEnglish(intent)
      ? topicOf(entities.bare.replace(ON_PLATFORM, ''))
      : foreignTopic(entities.bare),
    entities,
    subject: '',
    taskEnd: '',
    isTaskOnly: false,
    nowMs,
    actionName: '',
  }
}

const SEARCHES = new Set([
  ...GENERIC,
  ...'find search look show list who what how much when where get check read encyclopedia wikipedia write send create make generate answer question explain ask deep crawl scrape'.split(
    ' ',
  ),
])

/** The platform at the end of an intent, which the action names. */
const ON_PLATFORM =
  / (?:on|at|from|via|in) (?:the )?(?:tiktok|instagram|youtube|twitter|x|reddit|facebook|linkedin|google maps|pinterest|telegram|threads|stockx|goat|snkrs|kream|novelship)(?=[\s,.?!]*$)/i
/** A preposition before the topic, or after it, in other languages. */
const ABOUT: readonly RegExp[] = [
  /(?:^|\s)(?:über|zum thema|sobre|acerca de|sur|au sujet de|à propos de|riguardo a|na temat|про|об|tentang|عن|حول) (.{2,})$/iu,
  /关于(.{2,40}?)的/u,
  /^(.{2,40}?)(?:に関する|についての?)/u,
  /^(.{2,60}?)에 (?:관한|대한|관해|대해)/u,
  /^(.{2,60}?) (?:hakkında|के बारे में)/iu,
]

/** The topic without the request for it and its source: "Balkonkraftwerke" of "suche im Web nach Balkonkraftwerken". */
function foreignTopic(bare: string): string {
  const about = ABOUT.map((pattern) => pattern.exec(bare)?.[1]).find((found) => found !== undefined)
  return withoutVocabulary(
    collapseSpaces(withoutLanguage(about ?? bare)),
    ({ text, isFiller, english }) =>
      isFiller ||
      SEARCHES.has(text.toLowerCase()) ||
      english.some((meaning) => SEARCHES.has(meaning)),
  )
}
