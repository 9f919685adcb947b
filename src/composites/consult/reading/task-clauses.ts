/** Splits an intent into its tasks: "find the CTO of Acme, then get his email". */
import { foreignWordsIn } from './foreign-words.ts'
import { isEnglish } from './languages.ts'

/** `isSure`: a word such as "then" separates the tasks. Otherwise "and" may also join the parts of one task. */
export type Clauses = { readonly texts: readonly string[]; readonly isSure: boolean }

const MOST_TASKS = 5

/** "Then" in fifteen languages, with the conjunction before it. */
const THEN = new RegExp(
  [
    String.raw`,? (?:and )?(?:then|after that|afterwards)\b,?`,
    String.raw`,? (?:und )?(?:dann|danach|anschließend)(?!\p{L})`,
    String.raw`,? (?:y )?(?:luego|después)(?! de\b)(?!\p{L})`,
    String.raw`,? (?:e )?(?:depois)(?! de\b)(?!\p{L})`,
    String.raw`,? (?:et )?(?:puis|ensuite)(?!\p{L})`,
    String.raw`,? (?:e )?poi(?!\p{L})`,
    String.raw`,? (?:a |i )?(?:potem|następnie)(?!\p{L})`,
    String.raw`,? (?:а |и )?(?:затем|потом)(?!\p{L})`,
    String.raw`,? (?:ve )?(?:sonra|ardından)(?!\p{L})`,
    String.raw`،? ?(?<!\p{L})ثم(?!\p{L})`,
    String.raw`,? (?:और )?फिर(?!\p{L})`,
    String.raw`[，,、。]? ?(?:然后|接着|之后再|，再)`,
    String.raw`(?:て、?|で、?|、)?(?:その後(?:で)?|それから|次に)、?`,
    String.raw`(?:고 나서|한 (?:뒤|다음)(?:에)?| 그(?:런)? ?다음(?:에)?|,? 그리고)(?= )`,
    String.raw`,? (?:lalu|kemudian|setelah itu)(?!\p{L})`,
  ].join('|'),
  'iu',
)

/** The end of a sentence, but not of an abbreviation. */
const SENTENCE_END =
  /;|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Inc|No|Nr|Co|Prof|Jr|Sr|vs|ul|bzw|ca|ggf))\.\s+(?=\p{Lu}\p{Ll})/u

const VERBS =
  'find|get|check|verify|read|scrape|search|screen|list|generate|extract|look up|fetch|estimate|summari[sz]e|crawl|map|track|show|tell|open|download|store|save|upload|send|e-?mail|mail|call|phone|book|order|buy|pay|post|make|create|translate|run|wait|convert|draw|turn|use|sign|register|reserve|cancel|delete'
const ASKING =
  "does|do|is|are|was|were|has|have|did|which|what|what's|who|who's|how|where|when|whether"
/** "And read it", ", does it have bad press", "and their reviews". */
const AND = new RegExp(
  String.raw`,? and (?:also )?(?=(?:${VERBS}|${ASKING}|the|their|its|his|her)\b)|, (?=(?:${ASKING})\b)`,
  'i',
)
/** "Worth and rent of 12 Elm St": two results of one object. */
const TWO_OF_ONE =
  /^(?:(?:what (?:is|are)|show|get|give me|find|tell me|i need) )?(?:the )?((?:[\p{L}-]+ ){0,2}[\p{L}-]+) and (?:the )?((?:[\p{L}-]+ ){0,2}[\p{L}-]+) ((?:of|for|at) .{3,200})$/iu
const CONJUNCTION =
  /(?<!\p{L})(?:und|y|e|et|i|и|ve|و|और|和|并|並|dan)(?!\p{Script=Latin}|\p{Script=Cyrillic})[ ,]*/giu
const TASK_MEANINGS = new Set(
  'find search read get show list send create generate translate summary convert download save check book buy order call phone archive screenshot'.split(
    ' ',
  ),
)

/** The tasks of an intent, in order. One text if it has a single task. */
export function splitTasks(intent: string): Clauses {
  const sure = clean(intent.split(THEN))
  if (sure.length > 1) return { texts: sure, isSure: true }
  const sentences = clean(intent.split(SENTENCE_END))
  if (sentences.length > 1) return { texts: sentences, isSure: false }
  const [, first, second, object] = TWO_OF_ONE.exec(intent) ?? []
  const isOneObject = second !== undefined && !new RegExp(`^(?:${VERBS})\\b`, 'i').test(second)
  if (first !== undefined && isOneObject && object !== undefined)
    return { texts: [`${first} ${object}`, `${second} ${object}`], isSure: false }
  const loose = isEnglish(intent) ? clean(intent.split(AND)) : clean(splitForeign(intent))
  return { texts: loose, isSure: false }
}

function clean(parts: readonly string[]): string[] {
  return parts
    .map((part) => part.trim().replaceAll(/^[,:\s]+|[,\s]+$/g, ''))
    .filter((part) => part !== '')
    .slice(0, MOST_TASKS)
}

/** At a conjunction before a word for a task. */
function splitForeign(intent: string): string[] {
  for (const { 0: conjunction, index } of intent.matchAll(CONJUNCTION)) {
    const rest = intent.slice(index + conjunction.length)
    const [next] = foreignWordsIn(rest.slice(0, 60))
    if (next?.english.some((meaning) => TASK_MEANINGS.has(meaning)) === true)
      return [intent.slice(0, index), rest]
  }
  return [intent]
}

/** One object. "Their" means the results of the earlier call. */
const ONE =
  /\b(?:it|its|this|that|his|her|him|he|she)\b(?: (?:one|page|site|company|person|wallet|address|domain|house|property))?/i
/** Here "it" is the answer of the earlier call. */
const ANSWER =
  /^(?:please )?(?:store|save|upload|send|e-?mail|mail|forward|keep|summari[sz]e|translate)\b/i
const REFERENCE =
  /\b(?:it|its|them|their|theirs|this|that|these|those|his|her|him|he|she|they)\b|\b(?:of|from|about|for) ones?\b/i

/** A clause with the object of an earlier one in place of "it": "check its certificate". Null without a reference. */
export function withObject(clause: string, object: string | undefined): string | null {
  return object === undefined || !ONE.test(clause) || ANSWER.test(clause)
    ? null
    : clause.replace(ONE, object)
}

export function refersBack(clause: string): boolean {
  return REFERENCE.test(clause)
}
