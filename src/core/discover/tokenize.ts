/** Text to index terms: words of any script, split at case changes and underscores, folded and stemmed. */
import { stem } from './stem.ts'

const MAX_TEXT_CHARS = 8_000
const MAX_TERM_CHARS = 40

const STOP_WORDS = new Set(
  ('a about against an and any anything are as at be been by can could do does for from give had has have how i if in into is it its let like make me my need of ' +
    'on one or our please s should so some something t that the their them then there these they this those to up us use using want was way we what when ' +
    'where which whose why will with would you your').split(' '),
)

/**
 * Written in two ways by people who mean one thing; and what callers name instead of saying what it is.
 * Every repetition has a bound, so that no text makes a pattern slow.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/\S{1,2000}/g, ' url '],
  [/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,200}/g, ' email '],
  [/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.(?:com|org|net|io|dev|ai|gov|edu)\b/g, ' domain '],
  [/\be[\s-]mail/g, 'email'],
  [/\bweb[\s-]?(page|site)/g, '$1'],
  [/\bhome[\s-]page/g, 'page'],
  [/\breal[\s-]estate/g, 'realestate'],
  [/\bphone[\s-]number/g, 'phone'],
  [/\bgit[\s-]hub/g, 'github'],
  [/\blinked[\s-]in\b/g, 'linkedin'],
]

export function tokenize(text: string): string[] {
  const split = text
    .slice(0, MAX_TEXT_CHARS)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
  const spelled = SPELLINGS.reduce((spelling, [pattern, word]) => spelling.replace(pattern, word), split)
  const words = spelled.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => word.length <= MAX_TERM_CHARS && !STOP_WORDS.has(word)).map(stem)
}
