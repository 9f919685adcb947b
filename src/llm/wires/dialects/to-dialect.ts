/** Adapts a converted body of chat completions to the dialect of its upstream. */
import { hash } from 'node:crypto'
import { listedFields, type Fields } from '../../../lib/json-fields.ts'
import type { ChatTarget } from '../own-form.ts'
import type { Dialect } from './dialect.ts'

/** `messages` may have `thoughts`, the words of a model's own earlier thinking. */
export function toDialect({ messages, ...body }: Fields, target: ChatTarget): Fields {
  const { dialect } = target
  const fields = Object.entries(body).filter(
    ([name]) => name !== 'reasoning_effort' && !dialect.unknownFields.includes(name),
  )
  return {
    messages: toMessages(listedFields(messages), dialect),
    ...(Object.fromEntries(fields) as Fields),
    ...effortFields(body['reasoning_effort'], target),
  }
}

function toMessages(messages: readonly Fields[], dialect: Dialect): readonly Fields[] {
  const ordered = dialect.takesLateSystem ? messages : withOneSystem(messages)
  const seen = dialect.takesImages ? ordered : withoutImages(ordered)
  const plain = dialect.takesCacheMarks ? seen : seen.map(withPlainText)
  const adapted = plain.map((message) => adapt(message, dialect))
  return dialect.takesUserAfterResult ? adapted : withBridges(adapted)
}

/**
 * The system messages at the beginning become one. Later ones become messages of the user, because
 * the beginning of the conversation must not change: upstreams cache it.
 */
function withOneSystem(messages: readonly Fields[]): readonly Fields[] {
  const found = messages.findIndex(({ role }) => role !== 'system')
  const first = found === -1 ? messages.length : found
  const contents = messages.slice(0, first).map(({ content }) => content)
  return [
    ...(contents.length === 0 ? [] : [{ role: 'system', content: joined(contents) }]),
    ...messages
      .slice(first)
      .map((message) => (message['role'] === 'system' ? { ...message, role: 'user' } : message)),
  ]
}

function joined(contents: readonly unknown[]): unknown {
  return contents.every((one) => typeof one === 'string')
    ? contents.join('\n\n')
    : contents.flatMap((one) => (typeof one === 'string' ? [{ type: 'text', text: one }] : one))
}

/** Only cache marks need parts of text, which templates of local models reject. */
function withPlainText(message: Fields): Fields {
  const { content } = message
  if (!Array.isArray(content)) return message
  const parts = listedFields(content)
  return parts.every(({ type }) => type === 'text')
    ? { ...message, content: parts.map(({ text }) => text).join('\n') }
    : message
}

const WITHOUT_IMAGE = { type: 'text', text: '[An image was removed. This model reads only text.]' }

/** Images of earlier turns and of tools. The upstream rejects those that the user sends now. */
function withoutImages(messages: readonly Fields[]): readonly Fields[] {
  const last = messages.length - 1
  return messages.map((message, place) => {
    const { role, content } = message
    const isSentNow = place === last && role === 'user' && messages[place - 1]?.['role'] !== 'tool'
    if (isSentNow || !Array.isArray(content)) return message
    const parts = listedFields(content)
    return parts.some(isImage)
      ? { ...message, content: parts.map((part) => (isImage(part) ? WITHOUT_IMAGE : part)) }
      : message
  })
}

const isImage = ({ type }: Fields): boolean => type === 'image_url'

/** Not empty, because some upstreams treat empty thoughts as missing. */
const WITHOUT_THOUGHTS = '.'

function adapt({ thoughts, ...message }: Fields, dialect: Dialect): Fields {
  const { tool_calls: calls, tool_call_id: resultOf } = message
  if (message['role'] === 'tool')
    return dialect.hasShortIds ? { ...message, tool_call_id: shortId(resultOf) } : message
  if (message['role'] !== 'assistant') return message
  const words = thoughts ?? (dialect.requiresThoughts ? WITHOUT_THOUGHTS : undefined)
  return {
    ...message,
    ...(calls === undefined
      ? {}
      : { tool_calls: listedFields(calls).map((call) => adaptCall(call, dialect)) }),
    ...(words === undefined
      ? {}
      : Object.fromEntries(dialect.thoughtFields.map((name) => [name, words]))),
  }
}

function adaptCall(call: Fields, { hasShortIds, callFields }: Dialect): Fields {
  return { ...call, ...callFields, ...(hasShortIds ? { id: shortId(call['id']) } : {}) }
}

function shortId(id: unknown): string {
  const text = String(id)
  return /^[A-Za-z0-9]{9}$/.test(text) ? text : hash('sha256', text).slice(0, 9)
}

const BRIDGE = { role: 'assistant', content: 'OK.' }

function withBridges(messages: readonly Fields[]): readonly Fields[] {
  return messages.flatMap((message, place) =>
    message['role'] === 'user' && messages[place - 1]?.['role'] === 'tool'
      ? [BRIDGE, message]
      : [message],
  )
}

/** `off` is the absence of a wish to think, `none` the least effort. */
function effortFields(effort: unknown, { dialect, thinks }: ChatTarget): Fields {
  const { efforts } = dialect
  if (typeof effort !== 'string') return {}
  if (effort === 'off' || (effort === 'none' && !efforts.includes(effort)))
    return thinks === false ? {} : dialect.withoutThinking
  if (dialect.effort === 'known' && thinks !== true) return {}
  const isWeak = effort === 'minimal' || effort === 'low'
  const nearest = isWeak ? efforts[0] : efforts.at(-1)
  return { reasoning_effort: efforts.includes(effort) ? effort : nearest }
}
