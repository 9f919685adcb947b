/** Values that are free words of the intent: search texts, prompts, messages and subjects. */
import { currenciesIn } from '../reading/amounts.ts'
import { withoutVocabulary, type ForeignWord } from '../reading/foreign-words.ts'
import { isEnglish } from '../reading/languages.ts'
import type { IntentReading } from '../reading/intent-reading.ts'

/** The sites to search: "only on example.com and example.org". */
export const SITES =
  /\b(?:only )?(?:on|from|within|inside|site:|only)\s?(?:the (?:site|domain)s? )?[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?:(?:\s*,\s*|\s+(?:and|or)\s+)[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}){0,5}(?:\s+only)?/i

/** Words that name no subject: "search for something", "read the section". */
const NO_SUBJECT =
  /^(?:(?:itself|ids?|urls?|links?|counts?|numbers?|sections?|keys?|topics?|country|countries|quarter|terms?|things?|something|anything|types?|lists?|details?|charts?|descriptions?|text|content|pages?|articles?|names?|values?|several|certain|given|specific|particular|the|an?|of|by|with|and|or|on|in|my|our|this|that|these|those|some|any|one|two|three)\b[\s,]*)+$/i

/** The text to search for. */
export function textIn(reading: IntentReading): string {
  const { entities, isTaskOnly } = reading
  const topic = entities.values.domain === undefined ? reading.topic : withoutSites(reading.topic)
  return (
    entities.values.query?.[0] ??
    entities.values.quoted?.[0] ??
    withoutEmpty(isTaskOnly ? '' : trimToSubject(topic, reading))
  )
}

function withoutSites(topic: string): string {
  return topic
    .replace(SITES, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(
      /^(?:for )?(?:articles?|pages?|posts?|news|stories|results?|content) (?:about|on|for) /i,
      '',
    )
    .replace(/^(?:for|about) /i, '')
}

/** The topic from its first word of the subject on, without a source at its end: "matcha on Google Trends". */
function trimToSubject(topic: string, { subject, taskEnd }: IntentReading): string {
  const at = subject === '' ? -1 : topic.toLowerCase().indexOf(subject.toLowerCase())
  if (at < 0) return topic
  const rest = topic.slice(at)
  return taskEnd !== '' && rest.toLowerCase().endsWith(taskEnd.toLowerCase())
    ? rest.slice(0, -taskEnd.length).replace(/(?:['’]s)?[\s,]+$/, '')
    : rest.replace(/['’]s CIK(?: number)?$/i, '')
}

function withoutEmpty(text: string): string {
  // A URL is a value of its own, never a text to search for.
  const plain = text
    .replaceAll(/\s*\b(?:(?:from|of|on|at|in|out of|for) )?https?:\/\/\S+/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return NO_SUBJECT.test(plain) ? '' : plain
}

export function subjectIn({ entities, subject }: IntentReading): string {
  return entities.values.quoted?.[0] ?? withoutEmpty(subject)
}

const CREATION_MEANINGS = new Set(
  'create make generate draw paint image picture video clip film convert music song send get'.split(
    ' ',
  ),
)

/** "Erzeuge ein Bild von": words for the creation, not for what it shows. */
function isCreation({ isFiller, english }: ForeignWord): boolean {
  return isFiller || english.some((meaning) => CREATION_MEANINGS.has(meaning))
}

const CREATE =
  /^(?:(?:please|can you|could you|i want|i need|i'd like|we need|let's)(?: to)?,? )*(?:generate|make|create|draw|render|paint|compose|produce|design|animate|illustrate|imagine|write|record|film|shoot|turn|give)(?: me| us)?\b\s*/i
const KIND =
  /^(?:an?|the|some|one|two|three|four|\d+)?\s*(?:[\w:.-]+ ){0,4}?(?:pictures?|images?|photos?|photographs?|drawings?|illustrations?|paintings?|videos?|clips?|films?|animations?|movies?)(?: variants?)?(?: (?:of|showing|about|with|that shows|in which|where))?\s+/i

/** Models for music take its length in words. */
const MUSIC =
  /\b(?:song|music|melody|jingle|tune|track|beat|soundtrack)s?\b(?!.*\b(?:video|clip|film)\b)/i

/** The description of an image, video or song, without the request for it. */
export function promptIn({ entities, intent }: IntentReading): string {
  const whole = intent
    .trim()
    .replace(/[.!?]+$/, '')
    .replace(CREATE, '')
  const described = whole.replace(KIND, '')
  const settings = [
    ...entities.found
      .filter(({ kind }) => kind === 'ratio' || (kind === 'duration' && !MUSIC.test(intent)))
      .map(({ text }) => text),
    ...(entities.countText === null ? [] : [entities.countText.trim()]),
  ]
  const own = isEnglish(intent) ? described : withoutVocabulary(described, isCreation)
  const prompt = settings
    .reduce(
      (text, setting) =>
        text.replace(
          new RegExp(String.raw`,?\s*(?:\b(?:in|for) )?${RegExp.escape(setting)}\s*`, 'i'),
          ' ',
        ),
      own,
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s,]+|[\s,]+$/g, '')
  return isOnlyKind(prompt) ? '' : prompt
}

function isOnlyKind(text: string): boolean {
  return /^(?:(?:an?|the|some|my|short|long|nice|good|new|ai|picture|image|photo|video|clip|film|song|music|track|audio|speech|animation|illustration)s?\b\s*)*$/i.test(
    text,
  )
}

const ASK =
  /^(?:please )?(?:ask|use|prompt|call|query|have|let|tell|get)\s+(?:[\w./ -]{1,40}?)\s+(?:to|about|for|whether)\s+/i

/** One message for a language model: the intent after "ask Claude to". */
export function messagesIn({ intent, entities }: IntentReading): unknown {
  const text = intent.trim()
  const asked = text.replace(ASK, '')
  const isAddressed =
    /\b(?:claude|gpt|gemini|llama|mistral|deepseek|llm|language model|chatbot|model)\b[^:]{0,40}:\s*\S/i.test(
      text,
    )
  const content =
    asked !== text ? asked : isAddressed ? withoutModel(text) : (entities.values.quoted?.[0] ?? '')
  return content === '' || isOnlyModel(content) ? undefined : [{ role: 'user', content }]
}

function withoutModel(text: string): string {
  return text.replace(/\s*\b(?:with|using|by|via) (?:the )?[\w.-]+(?: model)?(?=:)/i, '').trim()
}

function isOnlyModel(text: string): boolean {
  return /^(?:(?:an?|the|any|some|language|model|llm|chatbot|question|something)\b\s*)*$/i.test(
    text,
  )
}

const MONEY_CURRENCY =
  /[$€£¥]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:million |thousand |k |m )?(?:[A-Z]{3}|dollars?|euros?|pounds?|yen|yuan|rupees?|swiss francs?)\b/i

/** `from` or `base` takes the first currency, `to` the last. */
export function currencyFor(name: string, intent: string): string | readonly string[] {
  const [amountOf] = MONEY_CURRENCY.exec(intent) ?? []
  const all = currenciesIn(intent)
  const own = amountOf === undefined ? undefined : currenciesIn(amountOf)[0]
  // "How many yen are 1,200 euros": the amount is converted from its own currency.
  const currencies = own === undefined ? all : [own, ...all.filter((one) => one !== own)]
  const isTarget = /^(?:to|symbols)/i.test(name)
  if (isTarget) return currencies.length > 1 ? (currencies.at(-1) ?? '') : ''
  return currencies[0] ?? ''
}
