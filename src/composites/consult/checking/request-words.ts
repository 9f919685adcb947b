/** Values that begin or end with a word of the request, so that the call would look for that word, too. */
import type { JsonSchema } from '../../../catalog/published/json-schema.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { toMissing } from '../filling/fill.ts'
import { foreignWordsIn } from '../reading/foreign-words.ts'
import type { IntentReading } from '../reading/intent-reading.ts'
import { isEnglish } from '../reading/languages.ts'

const WORDS_OF_INTENT = new Set(['text', 'title', 'subject', 'role', 'named', 'other'])
/** Words that ask for something and name nothing. */
const ENGLISH =
  /^(?:please|find|search|look|looking|get|show|give|list|fetch|published|posted|mentioning|tagged|regarding|concerning|newest|latest|most recent|last|prices?|price of|results?|hashtags?|articles? (?:on|about)|news (?:on|about)|tweets? about|reviews of|wikipedia|comments on)\b|\b(?:published|posted|mentioning|please|tagged|prices?|results?|(?:of|in|on|at|for|from|about|with|and|by|since))$/i
/** Meanings of words that ask for something, in other languages. */
const MEANINGS = new Set(
  'find search get show list look send read summary translate convert screenshot wikipedia news latest today download'.split(
    ' ',
  ),
)

/** The values with such words. Quoted texts and messages are used as they are written. */
export function requestWordsIn(params: Data, schema: JsonSchema, reading: IntentReading): string[] {
  const { quoted = [], query = [] } = reading.entities.values
  const isForeign = !isEnglish(reading.intent)
  return Object.entries(params).flatMap(([name, value]) => {
    const field = schema.properties?.[name]
    if (field?.const !== undefined || field?.enum !== undefined) return []
    if (!WORDS_OF_INTENT.has(toMissing(name, schema).slot.kind)) return []
    const texts = (Array.isArray(value) ? value : [value]).filter(
      (one): one is string => typeof one === 'string' && /[\p{L}]/u.test(one),
    )
    return texts.filter(
      (text) =>
        !quoted.includes(text) &&
        !query.includes(text) &&
        !/^https?:|@|^from:/.test(text) &&
        (isForeign ? asksAtAnEnd(text) : ENGLISH.test(text)),
    )
  })
}

function asksAtAnEnd(text: string): boolean {
  const words = foreignWordsIn(text)
  if (words.length < 2) return false
  return [words[0], words.at(-1)].some(
    (word) =>
      word !== undefined &&
      (word.isFiller || word.english.some((meaning) => MEANINGS.has(meaning))),
  )
}
