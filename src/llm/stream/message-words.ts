/** Reads the words of a message, or of a delta, of chat completions. */
import { isFields, type Fields } from '../../lib/json-fields.ts'

export type MessageWords = {
  readonly thoughts: string
  readonly text: string
  readonly refusal: string
}

/**
 * The words in the forms of all upstreams: texts, or lists of parts, which some upstreams use also
 * for thoughts. Without any, a text is empty.
 */
export function wordsOf(message: Fields): MessageWords {
  const { content, refusal, reasoning, reasoning_content: older } = message
  const parts = typeof content === 'string' ? NO_PARTS : partsOf(content)
  return {
    // Some upstreams send the same thinking in several fields.
    thoughts:
      joinTexts(reasoning) ||
      joinTexts(older) ||
      joinTexts(message['reasoning_details']) ||
      parts.filter(isThought).map(joinThought).join(''),
    text: typeof content === 'string' ? content : joinTexts(parts.filter((one) => !isThought(one))),
    refusal: joinTexts(refusal) || parts.map((part) => joinTexts(part['refusal'])).join(''),
  }
}

const NO_PARTS: readonly Fields[] = []

/** The parts of a list. A single object counts as one, and a text in a list as a part of text. */
function partsOf(content: unknown): readonly Fields[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content]
  return list.flatMap((part) =>
    isFields(part) ? [part] : typeof part === 'string' ? [{ type: 'text', text: part }] : [],
  )
}

function isThought({ type }: Fields): boolean {
  return type === 'thinking' || type === 'reasoning'
}

function joinThought({ thinking, reasoning, text, summary }: Fields): string {
  return joinTexts(thinking ?? reasoning ?? text ?? summary)
}

function joinTexts(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return partsOf(value)
    .map(({ text, summary }) => text ?? summary)
    .filter((text) => typeof text === 'string')
    .join('')
}
