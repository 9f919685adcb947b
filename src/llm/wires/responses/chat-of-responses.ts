/** Converts a body of the Responses API to chat completions. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { ChatHistory } from '../chat-history.ts'
import { untranslatable, type ChatTarget } from '../own-form.ts'
import { readableText } from '../readable-text.ts'
import { areOwnThoughts } from '../thoughts.ts'
import { ResponseTools } from './response-tools.ts'

const SAME_FIELDS = [
  'stream',
  'temperature',
  'top_p',
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'provider',
  'session_id',
  'user',
] as const

/** Throws AppError invalid_params for a request that chat completions cannot express. */
export function chatOfResponses(body: Fields, target: ChatTarget): Fields {
  const same = SAME_FIELDS.filter((name) => body[name] != null).map((name) => [name, body[name]])
  const tools = new ResponseTools(body)
  return {
    messages: messagesOf(body, tools, target),
    ...tools.toChat(body, target.dialect.takesCustomTools),
    ...(Object.fromEntries(same) as Fields),
    ...convertOutput(body),
  }
}

function messagesOf({ input, instructions }: Fields, tools: ResponseTools, target: ChatTarget) {
  const history = new ChatHistory()
  history.say('system', instructions)
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listedFields(input)
  const answered = items.findLastIndex(({ type, role }) => role === 'assistant' || isCall(type))
  for (const [place, item] of items.entries()) {
    const call = tools.callOf(item, target.dialect.takesCustomTools)
    if (call === null)
      addItem(history, item, { target, path: `input[${place}]`, isSentNow: place > answered })
    else history.answer({ call })
  }
  return history.messages
}

const isCall = (type: unknown): boolean => typeof type === 'string' && type.endsWith('_call')

type Place = { readonly target: ChatTarget; readonly path: string; readonly isSentNow: boolean }

function addItem(history: ChatHistory, item: Fields, place: Place): void {
  const { type = 'message', role, content, call_id: named } = item
  const callId = named ?? (type === 'local_shell_call_output' ? item['id'] : null)
  if (type === 'message') {
    if (role === 'assistant') history.answer({ content: readableText(textsIn(content)) })
    else if (role === 'developer' || role === 'system')
      history.say('system', readableText(textsIn(content)))
    else history.say('user', convertContent(content, place))
  } else if (type === 'agent_message') {
    const words = readableText(content)
    const from = typeof item['author'] === 'string' ? ` from ${item['author']}` : ''
    if (words !== '') history.say('user', `Message${from}:\n${words}`)
  } else if (type === 'reasoning') {
    // Thoughts of other models, and encrypted ones, are dropped.
    const isOwn = areOwnThoughts(item['encrypted_content'], place.target.modelId)
    const thoughts = readableText(item['summary'])
    if (isOwn && thoughts !== '') history.answer({ thoughts })
  } else if (String(type).endsWith('_output') && callId != null)
    history.result(callId, outputOf(item), mediaIn(item['output']).map(convertMedia))
  else {
    const words = readableText(item)
    if (words !== '') history.say('user', `[${String(type)}]\n${words}`)
  }
}

/** The text of a message without media, whose parts are joined without line ends. */
function textsIn(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return listedFields(content)
    .map((part) => readableText(part['text'] ?? part['refusal'] ?? part))
    .join('')
}

function outputOf({ output, tools }: Fields): string {
  if (typeof output === 'string') return output
  const found = listedFields(tools).flatMap(({ name, tools: inner }) =>
    inner === undefined
      ? [name]
      : listedFields(inner).map((one) => `${String(name)}: ${String(one['name'])}`),
  )
  if (found.length > 0) return `These tools are available now:\n${found.join('\n')}`
  return readableText(output)
}

const isMedia = ({ type }: Fields): boolean =>
  type === 'input_image' || type === 'input_file' || type === 'input_audio'

const mediaIn = (content: unknown): readonly Fields[] => listedFields(content).filter(isMedia)

function convertContent(content: unknown, place: Place): unknown {
  if (!Array.isArray(content)) return content
  const parts = listedFields(content)
  return parts.some(isMedia)
    ? parts.map((part) =>
        isMedia(part) ? convertMedia(part) : { type: 'text', text: wordsOf(part, place) },
      )
    : parts.map((part) => wordsOf(part, place)).join('')
}

/** The words of a part. An unknown part without words is dropped from earlier messages. */
function wordsOf(part: Fields, { path, isSentNow }: Place): string {
  const { type, text, refusal } = part
  const words = text ?? refusal
  if (typeof words === 'string') return words
  const read = readableText(part)
  if (read === '' && isSentNow)
    throw untranslatable(path, `content of type "${String(type).slice(0, 60)}"`)
  return read
}

function convertMedia(part: Fields): Fields {
  const { type, image_url: url, detail, filename = 'document.pdf' } = part
  if (type === 'input_audio') return part
  if (type === 'input_image')
    return { type: 'image_url', image_url: { url, ...(detail == null ? {} : { detail }) } }
  return { type: 'file', file: { filename, file_data: part['file_data'] ?? part['file_url'] } }
}

/** The format of the answer, and the effort of thinking. */
function convertOutput({ text, reasoning, top_logprobs: logprobs }: Fields): Fields {
  const { format, verbosity } = fieldsOf(text)
  const { effort } = fieldsOf(reasoning)
  return {
    ...(isFields(format) ? convertFormat(format) : {}),
    ...(verbosity == null ? {} : { verbosity }),
    ...(effort == null ? {} : { reasoning_effort: effort }),
    ...(logprobs == null ? {} : { logprobs: true, top_logprobs: logprobs }),
  }
}

function convertFormat({ type, ...format }: Fields): Fields {
  if (type === 'json_object') return { response_format: { type } }
  return type === 'json_schema' ? { response_format: { type, json_schema: format } } : {}
}
