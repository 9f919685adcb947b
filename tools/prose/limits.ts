/** How long a text may be, and how a commit subject begins. */
import type { Passage } from './passage.ts'

export interface Remark {
  readonly offset: number
  readonly text: string
  readonly better: string
}

const SENTENCE_WORDS = 35
const COMMENT_WORDS = 75
const TEST_NAME_CHARACTERS = 90
const SUBJECT_CHARACTERS = 72

const wordsOf = (text: string): number => text.match(/[^\s|]*[\p{L}\p{N}·][^\s|]*/gu)?.length ?? 0

const opening = (text: string): string => `${text.trim().split(/\s+/).slice(0, 6).join(' ')} …`

export function limitRemarks(passage: Passage): readonly Remark[] {
  const { place, text } = passage
  if (place === 'test name') return testNameRemarks(text)
  if (place === 'row') return []
  if (place === 'subject') return subjectRemarks(text)
  return [...(place === 'comment' ? commentRemarks(text) : []), ...sentenceRemarks(text)]
}

function testNameRemarks(text: string): readonly Remark[] {
  if (text.length <= TEST_NAME_CHARACTERS) return []
  const better = `at most ${TEST_NAME_CHARACTERS} characters (${text.length})`
  return [{ offset: 0, text: opening(text), better }]
}

function commentRemarks(text: string): readonly Remark[] {
  const words = wordsOf(text)
  if (words <= COMMENT_WORDS) return []
  const better = `a comment of at most ${COMMENT_WORDS} words (${words}); the rest into the README`
  return [{ offset: 0, text: opening(text), better }]
}

/** A sentence ends at its full stop, a cell of a table, an empty line or an item of a list. */
function sentenceRemarks(text: string): readonly Remark[] {
  const remarks: Remark[] = []
  let offset = 0
  for (const sentence of text.split(
    /((?<=[.!?…][)"'*]*)\s+|\||\n[ \t]*\n|\n[ \t]*(?=[-*+] |@\w))/,
  )) {
    const words = wordsOf(sentence ?? '')
    if (words > SENTENCE_WORDS) {
      const better = `a sentence of at most ${SENTENCE_WORDS} words (${words})`
      remarks.push({ offset, text: opening(sentence), better })
    }
    offset += (sentence ?? '').length
  }
  return remarks
}

function subjectRemarks(text: string): readonly Remark[] {
  const remarks: Remark[] = []
  const first = /^\S+/.exec(text)?.[0] ?? ''
  const add = (better: string): void => void remarks.push({ offset: 0, text, better })
  if (text.length > SUBJECT_CHARACTERS)
    add(`at most ${SUBJECT_CHARACTERS} characters (${text.length})`)
  if (!/^[A-Z][a-z]+$/.test(first) || /(?:[^s]s|ed|ing)$/.test(first)) add('an imperative first')
  if (text.endsWith('.')) add('no full stop')
  return remarks
}
