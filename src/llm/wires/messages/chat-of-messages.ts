/** Converts a body of the Messages API to chat completions. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { ChatHistory } from '../chat-history.ts'
import { untranslatable, type ChatTarget } from '../own-form.ts'
import { readableText } from '../readable-text.ts'
import { areOwnThoughts } from '../thoughts.ts'
import { upstreamName } from '../tool-names.ts'
import { convertOutput } from './chat-output.ts'
import { MessageTools } from './message-tools.ts'
import { dataUrlOf } from './messages-prompt.ts'

const SAME_FIELDS = ['stream', 'temperature', 'top_p', 'top_k'] as const

type Place = { readonly target: ChatTarget; readonly path: string; readonly isSentNow: boolean }

/** Throws AppError invalid_params for a request that chat completions cannot express. */
export function chatOfMessages(body: Fields, target: ChatTarget): Fields {
  const { system, messages, stop_sequences: stop, provider, session_id: session } = body
  const same = SAME_FIELDS.filter((name) => body[name] != null).map((name) => [name, body[name]])
  return {
    messages: messagesOf(system, listedFields(messages), target),
    ...new MessageTools(body).toChat(body, target.dialect.takesCacheMarks),
    ...(Object.fromEntries(same) as Fields),
    ...(Array.isArray(stop) && stop.length > 0 ? { stop } : {}),
    ...convertOutput(body),
    ...(provider == null ? {} : { provider }),
    ...(session == null ? {} : { session_id: session }),
  }
}

function messagesOf(system: unknown, messages: readonly Fields[], target: ChatTarget) {
  const history = new ChatHistory()
  history.say('system', contentOf(system, { target, path: 'system', isSentNow: true }))
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  for (const [place, { role, content }] of messages.entries()) {
    const at = { target, path: `messages[${place}]`, isSentNow: place > answered }
    if (role === 'assistant') addAnswer(history, content, target)
    else addQuestion(history, role === 'system' ? 'system' : 'user', content, at)
  }
  return history.messages
}

/** Thoughts of other models are dropped, because only their makers can verify or read them. */
function addAnswer(history: ChatHistory, content: unknown, { modelId }: ChatTarget): void {
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listedFields(content)
  const thoughts = blocks
    .filter(({ type, signature }) => type === 'thinking' && areOwnThoughts(signature, modelId))
    .map(({ thinking }) => thinking)
    .filter((thinking) => thinking !== '')
  const words = blocks
    .filter(({ type }) => !NOT_SAID.includes(type))
    .map((block) => (block['type'] === 'text' ? block['text'] : readableText(block)))
    .join('')
  // An empty text ends the answer before, so that the next one is not a part of it.
  history.answer({
    content: words,
    ...(thoughts.length === 0 ? {} : { thoughts: thoughts.join('\n\n') }),
  })
  for (const { type, id, name, input } of blocks)
    if (type === 'tool_use')
      history.answer({
        call: {
          id,
          type: 'function',
          function: { name: upstreamName(String(name)), arguments: JSON.stringify(input ?? {}) },
        },
      })
}

/** Calls, thoughts, and calls of tools that the upstream of an earlier answer ran. */
const NOT_SAID: readonly unknown[] = [
  'tool_use',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
]

/** Results of tools become messages of their own, before the rest of the message. */
function addQuestion(
  history: ChatHistory,
  role: 'system' | 'user',
  content: unknown,
  place: Place,
): void {
  const blocks = listedFields(content)
  for (const block of blocks) if (block['type'] === 'tool_result') addResult(history, block, place)
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  history.say(role, contentOf(Array.isArray(content) ? others : content, place))
}

function addResult(history: ChatHistory, block: Fields, place: Place): void {
  const { tool_use_id: id, content, is_error: isError } = block
  const parts =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listedFields(content)
  const media = parts.filter(isMedia)
  const words = parts.filter((part) => !isMedia(part)).map(readableText)
  history.result(
    id,
    `${isError === true ? 'Error: ' : ''}${words.join('\n')}`,
    media.flatMap((part) => convertBlock(part, place)),
  )
}

const isMedia = ({ type }: Fields): boolean => type === 'image' || type === 'document'

function contentOf(content: unknown, place: Place): unknown {
  if (!Array.isArray(content)) return content
  const parts = listedFields(content).flatMap((block) => convertBlock(block, place))
  const [only] = parts
  return parts.length === 1 && only !== undefined && Object.keys(only).join() === 'type,text'
    ? only['text']
    : parts
}

/** An unknown block without words is dropped from earlier messages. */
function convertBlock(block: Fields, place: Place): Fields[] {
  const { type } = block
  const mark = markOf(block, place.target)
  const source = fieldsOf(block['source'])
  switch (type) {
    case 'text':
      return [{ type: 'text', text: block['text'], ...mark }]
    case 'image':
      return [
        { type: 'image_url', image_url: { url: dataUrlOf(source) ?? source['url'] }, ...mark },
      ]
    case 'document':
      return convertDocument(block, source, place)
    default: {
      const text = readableText(block)
      if (text === '' && place.isSentNow && !SILENT.includes(type))
        throw untranslatable(place.path, `content of type "${String(type).slice(0, 60)}"`)
      return text === '' ? [] : [{ type: 'text', text }]
    }
  }
}

/** They have no words, or only encrypted ones. */
const SILENT: readonly unknown[] = [
  'thinking',
  'redacted_thinking',
  'tool_addition',
  'tool_removal',
  'compaction',
  'fallback',
]

function convertDocument({ title }: Fields, source: Fields, place: Place): Fields[] {
  if (source['type'] === 'text') return [{ type: 'text', text: source['data'] }]
  if (source['type'] === 'content') {
    const { content } = source
    return typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : listedFields(content).flatMap((block) => convertBlock(block, place))
  }
  const filename = typeof title === 'string' ? title : 'document.pdf'
  return [{ type: 'file', file: { filename, file_data: dataUrlOf(source) ?? source['url'] } }]
}

function markOf({ cache_control: mark }: Fields, { dialect }: ChatTarget): Fields {
  return dialect.takesCacheMarks && isFields(mark) ? { cache_control: mark } : {}
}
