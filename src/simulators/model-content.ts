/** Answers of simulated language models. Every word is one token, so that the count is known. */
import { countTokensOf } from '../llm/tokens/estimate-tokens.ts'
import { fieldsOf, type Fields } from '../lib/json-fields.ts'
import { shortHash } from './content.ts'

const WORDS =
  'This answer is simulated : the test mode of the gateway made it up . The ledger keeps every charge exact . A hold takes room before the first word . The price follows from the tokens that were used . Nothing is charged for a call that failed . Every answer follows from the question alone , so the same question brings the same words again .'.split(
    ' ',
  )
const OPENING = 13

/** The words of the answer to a question, each with the space before it. */
export function answerWords(question: string): string[] {
  const length = 24 + (Number.parseInt(shortHash(question), 16) % 40)
  const words = Array.from({ length }, (_, place) => {
    const word =
      WORDS[place < OPENING ? place : OPENING + ((place - OPENING) % (WORDS.length - OPENING))] ??
      ''
    return place === 0 || /^[.,:]$/.test(word) ? word : ` ${word}`
  })
  // An answer from numbered sources cites the first.
  return /\n\[1\] /.test(question) ? [...words, ' [1]'] : words
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** The text of a message. Its content is a text or a list of parts. */
function textOf({ content }: Fields): string {
  return typeof content === 'string'
    ? content
    : listOf(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join(' ')
}

export function lastQuestion(messages: readonly Fields[]): string {
  return textOf(messages.findLast(({ role }) => role === 'user') ?? {})
}

export function promptTokens(messages: readonly Fields[], tools: unknown): number {
  return (
    countTokensOf([
      ...messages.map(textOf),
      ...(tools === undefined ? [] : [JSON.stringify(tools)]),
    ]) +
    4 * messages.length +
    3
  )
}

export type ModelFault =
  | { readonly name: 'die' | 'error' | 'drip'; readonly at: number }
  | { readonly name: 'nousage' | 'wrongusage' | 'nofinish' }

/** The faults in a question: "sim:die-120", "sim:error-3", "sim:drip-50", "sim:nousage", "sim:wrongusage", "sim:nofinish". */
export function modelFaults(question: string): ModelFault[] {
  return [
    ...question.matchAll(/\bsim:(die|error|drip|nousage|wrongusage|nofinish)(?:-(\d{1,5}))?/g),
  ].map(([, name = '', at]) => ({ name, at: Number(at ?? 1) }) as ModelFault)
}
