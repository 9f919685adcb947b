/**
 * Thoughts in converted answers carry the model that made them, in the place of a signature, so that
 * only this model receives them again. Signed thoughts of other upstreams are unreadable here.
 */
import { listedFields, type Fields } from '../../lib/json-fields.ts'

const MARK = 'tollgate:'

export function markThoughts(modelId: string): string {
  return `${MARK}${modelId}`
}

/** Some clients store no signatures. Thoughts without one count as the model's own. */
export function areOwnThoughts(signature: unknown, modelId: string): boolean {
  return signature == null || signature === '' || signature === markThoughts(modelId)
}

/** The body without thoughts of converted answers, whose mark other upstreams reject as a signature. */
export function withoutMarkedThoughts(body: Fields): Fields {
  const { messages, input } = body
  if (listedFields(input).some(isMarked))
    return { ...body, input: (input as readonly Fields[]).filter((item) => !isMarked(item)) }
  if (!listedFields(messages).some(hasMarked)) return body
  const kept = listedFields(messages).flatMap((message) => {
    if (!hasMarked(message)) return [message]
    const content = listedFields(message['content']).filter((block) => !isMarked(block))
    return content.length === 0 ? [] : [{ ...message, content }]
  })
  return { ...body, messages: kept }
}

const hasMarked = ({ content }: Fields): boolean => listedFields(content).some(isMarked)

function isMarked({ type, signature, encrypted_content: encrypted }: Fields): boolean {
  const mark = type === 'thinking' ? signature : type === 'reasoning' ? encrypted : null
  return typeof mark === 'string' && mark.startsWith(MARK)
}
