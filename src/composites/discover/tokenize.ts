/** Converts text to index terms: words of any script, split at case changes and underscores, folded and stemmed. */
import { stem } from './stem.ts'

const MAX_TEXT_CHARS = 8_000
const MAX_TERM_CHARS = 40

const STOP_WORDS = new Set(
  (
    'a about against ago among an and any anything are as at be been between both by can could did do does during each else ever for from give had has have here how i if ' +
    'in into is it its just lately let like make many me more most much my myself need now of off on one only or other our out over please right s she should since so some something ' +
    'soon still such t than that the their them then there these they this those through to too two under until up us use using very want was way we were what when where which while ' +
    'whom whose why will with within would years you your'
  ).split(' '),
)

/** Replaces concrete URLs, emails and domains by their kind. All repetitions are bounded, so no text is slow. */
const ADDRESSES: readonly Spelling[] = [
  [/https?:\/\/\S{1,2000}/g, ' url '],
  [/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,200}/g, ' email '],
  [/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|org|net|io|dev|ai|gov|edu)\b/g, ' domain '],
]

/** Unifies different spellings of the same word. */
const SPELLINGS: readonly Spelling[] = [
  [/\b(?:web|home)[\s-]?(page|site)/g, '$1'],
  [/\be[\s-]mail/g, 'email'],
  [/\breal[\s-]estate/g, 'realestate'],
  [/\bphone[\s-]number/g, 'phone'],
  [/\bgit[\s-]hub/g, 'github'],
  [/\blinked[\s-]in\b/g, 'linkedin'],
  [/\b(?:business|work(?:ing)?)[\s-]days?\b/g, 'businessday'],
  // British spellings.
  [/(\p{L}{3,30})is(e[ds]?|ing|ations?|ers?)\b/gu, '$1iz$2'],
]

type Spelling = readonly [RegExp, string]

export function tokenize(text: string): string[] {
  const folded = fold(text.slice(0, MAX_TEXT_CHARS))
  const named = folded.includes('.') ? respell(folded, ADDRESSES) : folded
  const words = respell(named, SPELLINGS).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => word.length <= MAX_TERM_CHARS && !STOP_WORDS.has(word)).map(stem)
}

/** Lower case without accents, words in camel case split. */
function fold(text: string): string {
  const split = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const plain = /\P{ASCII}/u.test(split) ? split.normalize('NFKD').replaceAll(/\p{M}/gu, '') : split
  return plain.toLowerCase()
}

function respell(text: string, spellings: readonly Spelling[]): string {
  return spellings.reduce((spelling, [pattern, word]) => spelling.replace(pattern, word), text)
}
