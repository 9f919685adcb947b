/** Splits an intent into words. */
import { stem } from '../../discover/stem.ts'
import { tokenize } from '../../discover/tokenize.ts'
import { foreignWordsIn } from './foreign-words.ts'

export type IntentWord = {
  readonly text: string
  /** The position in the text. */
  readonly from: number
  readonly to: number
  readonly stems: readonly string[]
  /** The stems of its English meanings, for a word of another language. */
  readonly english: readonly string[]
  /** Whether it is a word of any request, such as "find", "the" or "about". */
  readonly isRequest: boolean
  readonly startsClause: boolean
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’.&+-]{0,60}[\p{L}\p{N}])?/gu
const MOST_WORDS = 120
/** Words of requests that belong neither to a task nor to a subject. */
const REQUESTS = new Set(
  (
    'please find search look looking up get show list give tell fetch pull read check see need want know wanna help let what whats which who whose where when how why is are was were do does did can could ' +
    'would should the a an any all some my our your its it this that these those there of for from to in on at by with about into as and or me us i we you they be been has have had current currently latest ' +
    'recent today now new named called using via against between over under since until before after per each much many most more than within during through along off out one not no only just also hi hello ' +
    'hey thanks whether say says saying said mention mentions mentioning behind regarding concerning related involving according like exactly please currently really actually maybe quickly asap kindly everything anything something information info detail details data'
  ).split(' '),
)

export function wordsIn(text: string, isEnglish: boolean): IntentWord[] {
  return isEnglish ? englishWordsIn(text) : foreignIntentWords(text)
}

function foreignIntentWords(text: string): IntentWord[] {
  return foreignWordsIn(text)
    .slice(0, MOST_WORDS)
    .map(({ text: word, from, to, english, isFiller }, at, all) => ({
      text: word,
      from,
      to,
      stems: tokenize(word),
      english: english.map(stem),
      isRequest:
        isFiller || (english.length > 0 && english.every((meaning) => REQUESTS.has(meaning))),
      startsClause: /[.;:!?。！？]\s*$/.test(text.slice(all[at - 1]?.to ?? 0, from)),
    }))
}

function englishWordsIn(text: string): IntentWord[] {
  const words: IntentWord[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (words.length === MOST_WORDS) break
    const stems = tokenize(word)
    words.push({
      text: word,
      from: index,
      to: index + word.length,
      stems,
      english: [],
      isRequest: stems.length === 0 || REQUESTS.has(word.toLowerCase().replaceAll(/['’]/g, '')),
      startsClause: /[.;:!?]\s*$/.test(text.slice(words.at(-1)?.to ?? 0, index)),
    })
  }
  return words
}
