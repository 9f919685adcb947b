/** Requests to act in the world, such as "book a flight", which only an action with that verb carries out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../../catalog/index.ts'
import { tokenize } from '../../discover/tokenize.ts'
import type { ActionWords } from './action-words.ts'
import { currenciesIn } from '../reading/amounts.ts'
import { isEnglish } from '../reading/languages.ts'
import { foreignActOf } from './foreign-acts.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import type { Target } from '../suggested-call.ts'
import { summaryOf } from './summary.ts'

const NONE: ReadonlySet<string> = new Set()
/**
 * Lines of `acts.txt`. `acts`: verbs that change something. `ambiguous`: those that also begin searches or descriptions,
 * so that they are acts only with an object of the caller. `asking`: verbs of search, reading and writing, and words
 * other than verbs that stand before a determiner.
 */
const [VERBS = NONE, AMBIGUOUS = NONE, ASKING = NONE] = readFileSync(
  join(import.meta.dirname, 'acts.txt'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => new Set(line.split(' ').slice(1)))
const OWN_OBJECT =
  /^\s+(?:(?:my|our|me|us|for me|on my|a|an|the|this|that|these|those|some|it|all|both|every|each|any|him|her|them|everyone|everything|one|two|three|four|five|six|ten|\d+|to)\b|["“'@#])/i
/** A word directly before a determiner or a pronoun is a verb with its object: "unpublish the page". */
const VERB_WITH_OBJECT =
  /^([a-z]{3,})(?: (?:up|down|out|off|on|back|over|away|in))? (?:my|our|the|an?|this|that|these|those|his|her|their|your|its|him|them|me|us|all|every|each|both|some|any|everyone|everybody|@\w+)(?!\w)/i
/** Plurals and forms in "-ing" begin descriptions: "keywords the site ranks for". */
const NO_VERB = /(?:[^s]s|ing)$/i
const ASKING_MISTYPED = new Set([...ASKING].flatMap(shortened))
/** An object of the caller anywhere: "change the opening hours of my shop". */
const OWN = /\b(?:my|our)\b/i
/** "Exchange 1000 dollars cash". Without cash, it asks for a conversion. */
const CASH = /^(?:ex)?change\b.*\bcash\b/i
const POLITE =
  /^(?:(?:please|kindly|now|then|and|hi|hello|hey|can you|could you|would you|will you|i want(?: you)? to|i need(?: you)? to|i'd like(?: you)? to|i would like to|help me(?: to)?|let's|go and|just|automatically)[\s,]+)+/i
/** "Run a sanctions check" asks for information. */
const LOOKUP =
  /^(?:run|do|make|start|execute|order|open|create|submit|place|set up) (?:an?|the|another|some|one)?\s*(?:[\p{L}\d'-]+ ){0,5}?(?:checks?|search(?:es)?|scans?|quer(?:y|ies)|screenings?|look-?ups?|reports?|audits?|analys[ei]s|research|comparison|list|overview)\b/iu
/** "Open this link" asks to read it. */
const READING =
  /^(?:open|start|load) (?:(?:this|the|that|these|a|my|following|https?:\S*) ?){0,3}(?:links?|pages?|urls?|web ?pages?|web ?sites?|articles?|posts?|sites?|documents?|https?:\S+)(?![\p{L}\d])/iu
/** "Take a screenshot". */
const CAPTURE =
  /^take (?:an?|the|another|some) (?:[\w-]+ )?(?:screen ?shots?|snapshots?|pictures?|look)\b/i
/** "Make the inbox accept mail" changes an existing thing. "Make an image" creates one. */
const CAUSE =
  /^make (?:the|my|our|his|her|their|this|that|these|those|it|them|everyone|everybody)\b/i
/** Summaries of actions that change nothing. */
const READS = /^(?:find|list|read|search|get|check|show|query|rank|look|estimate|measure)\b/i
/** A call by telephone, not a call of a model. */
const PHONE_CALL =
  /^call (?:(?:this|that|the|my|our|their|his|her) (?:[\w-]+ ){0,2}?(?:number|phone|office|shop|store|restaurant|hotel|doctor|dentist|bank|mother|mom|father|dad|boss|landlord)\b|\+?\d[\d ()./-]{5,}|(?:him|her|them|me|us|everyone|everybody)\b)/i
const CHECK_IN = /^check (?:me|us) in\b/i

/** Groups of verbs with one meaning. */
const SAME: readonly string[] = [
  'start launch run execute open create boot spin make give',
  'stop end close terminate kill release shut',
  'delete remove',
  'send mail email write forward',
  'upload store save put',
  'reply answer',
  'extend prolong add renew',
  'generate make create draw paint turn design',
  'ask call chat answer',
]

/** The verb of an intent that asks to change something; null if it asks for information. */
export function actOf(intent: string): string | null {
  const text = intent.trim().replace(POLITE, '')
  if (/^(?:run|execute)\b.*\bsandbox\b/i.test(text)) return 'run'
  if (CHECK_IN.test(text) || CASH.test(text)) return 'act'
  if (PHONE_CALL.test(text)) return 'dial'
  if (CAUSE.test(text)) return 'generate'
  // "Convert 1000 euros into rubles" has the verb of a transfer in several languages.
  const isConversion = new Set(currenciesIn(intent)).size > 1
  const foreign = isEnglish(intent) || isConversion ? null : foreignActOf(intent)
  if (foreign !== null) return foreign
  const [verb = ''] = /^[a-z]+/i.exec(text) ?? []
  const plain = verb.toLowerCase()
  if (LOOKUP.test(text) || READING.test(text) || CAPTURE.test(text)) return null
  if (!VERBS.has(plain)) return unknownActOf(text)
  const object = text.slice(verb.length)
  return AMBIGUOUS.has(plain) && !OWN_OBJECT.test(object) && !OWN.test(object) ? null : plain
}

/** A verb with an object that asks for no information, although it is not known as an act. */
function unknownActOf(text: string): string | null {
  const verb = VERB_WITH_OBJECT.exec(text)?.[1]?.toLowerCase() ?? ''
  return verb === '' || isAsking(verb) || NO_VERB.test(verb) ? null : verb
}

/** Whether a verb asks for information, also with one letter too few or too many: "serch". */
function isAsking(verb: string): boolean {
  return (
    ASKING.has(verb) || ASKING_MISTYPED.has(verb) || shortened(verb).some((one) => ASKING.has(one))
  )
}

function shortened(verb: string): string[] {
  return verb.length < 5 ? [] : [...verb].map((_, at) => verb.slice(0, at) + verb.slice(at + 1))
}

/** Whether the intent asks for the act of the action by its verb and its object: "send an email". */
export function isRequestedAct(
  entry: Entry,
  target: Target,
  { intent, entities }: IntentReading,
  { task }: ActionWords,
): boolean {
  const act = actOf(intent)
  if (act === null || !carriesOut(entry, target, act)) return false
  const verb = tokenize(act)
  return entities.words.some(
    ({ stems, isRequest }) =>
      !isRequest && stems.some((stem) => task.has(stem) && !verb.includes(stem)),
  )
}

/** Whether the action carries out such an act: its summary begins with the verb, or its name has it. */
export function carriesOut(entry: Entry, { endpoint }: Target, act: string): boolean {
  const { action, name } = entry
  // The summary of a passthrough describes the passing on, not what its endpoints do.
  const summary = summaryOf(entry, endpoint)
  const [first = '', ...rest] = summary.toLowerCase().split(/[^a-z]+/)
  const listed = /^[a-z]+(?:, [a-z]+)* or [a-z]+\b/i.exec(summary)?.[0] ?? ''
  const verbs = new Set([first, ...listed.toLowerCase().split(/[^a-z]+/)])
  if (rest.length === 0) return false
  const parts = name.split(/[-_]/)
  // "linkedin-post-search" searches posts and publishes none.
  if (parts[0] === act || parts.at(-1) === act) return true
  const keywords = action.keywords
    .join(' ')
    .toLowerCase()
    .split(/[^a-z]+/)
  // "New hires" is a keyword of a list of people, not an offer to hire.
  if (!AMBIGUOUS.has(act) && keywords.includes(act) && !READS.test(summary)) return true
  return [
    act,
    ...SAME.filter((group) => group.split(' ').includes(act)).flatMap((group) => group.split(' ')),
  ].some((verb) => verbs.has(verb))
}
