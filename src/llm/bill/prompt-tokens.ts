/** Tokens of a prompt: estimated before a call, counted if the upstream does not report them. */
import { countTokensOf } from '../tokens/estimate-tokens.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { mostImageTokens } from '../tokens/image-tokens.ts'
import { fieldsOf, isFields, listedFields, type Fields } from '../../lib/json-fields.ts'
import type { CompletionRequest } from '../ask/read-request.ts'
import { addMediaTokens, NO_MEDIA_TOKENS, type MediaTokens, type Prompt } from './prompt.ts'

// Overhead of the chat format per message, and before the response.
const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_ANSWER = 3
// Model vendors count an image by its size, which is not read here. Most images have about 1600
// tokens.
const TOKENS_PER_IMAGE = 1_600
const TOKENS_PER_SMALL_IMAGE = 85
const BASE64_PER_IMAGE_TOKEN = 64
// Ten tokens per second of speech, at the lowest number of bytes per second.
const BASE64_PER_AUDIO_TOKEN = 400
// Documents are read as text and as page images. Files of word processors are the densest.
const BASE64_PER_FILE_TOKEN = { likely: 64, least: 8 }
// The size of a linked document or video is unknown.
const MOST_TOKENS_PER_REMOTE_FILE = 50_000

/** The text that the model reads, and facts about its media. */
export function promptOf({ own, messages, tools, rest }: CompletionRequest): Prompt {
  if (own !== null) return own.prompt
  const texts: string[][] = []
  let mediaTokens = NO_MEDIA_TOKENS
  let imageCount = 0
  let usesLongCache = [rest, ...messages, ...tools].some(asksForLongCache)
  for (const message of messages) {
    texts.push(textsOf(message))
    for (const part of listedFields(message['content'])) {
      if (part['type'] === 'image_url') imageCount += 1
      if (asksForLongCache(part)) usesLongCache = true
      mediaTokens = addMediaTokens(mediaTokens, mediaTokensOf(part))
    }
  }
  if (tools.length > 0) texts.push([JSON.stringify(tools)])
  texts.push(furtherTexts(rest))
  return {
    text: texts.flat().join('\n'),
    mediaTokens,
    messageCount: messages.length,
    imageCount,
    usesLongCache,
  }
}

/**
 * Reports whether the prompt requests a cache for an hour, which costs more than one for minutes.
 */
function asksForLongCache({ cache_control: control, function: named }: Fields): boolean {
  return (
    (isFields(control) && control['ttl'] === '1h') || (isFields(named) && asksForLongCache(named))
  )
}

export function estimatePrompt({ text, mediaTokens, messageCount }: Prompt): number {
  return (
    estimateTokens(text) + mediaTokens.most + messageCount * TOKENS_PER_MESSAGE + TOKENS_PER_ANSWER
  )
}

export function countPrompt(prompt: Prompt): number {
  return (
    countTokensOf([prompt.text]) +
    prompt.mediaTokens.likely +
    prompt.messageCount * TOKENS_PER_MESSAGE +
    TOKENS_PER_ANSWER
  )
}

// Read by the gateway or the upstream, or counted above, but not read by the model.
const NOT_READ = new Set([
  'messages',
  'tools',
  'logit_bias',
  'metadata',
  'provider',
  'stop',
  'stream_options',
  'reasoning',
  'tool_choice',
  'usage',
])
const LONGEST_SETTING = 200

/** Other fields that the model may read: schemas, functions, documents, and unknown fields. */
function furtherTexts(rest: Fields): string[] {
  return Object.entries(rest).flatMap(([name, value]) => {
    if (NOT_READ.has(name) || (typeof value === 'string' && value.length <= LONGEST_SETTING))
      return []
    return textIn(value)
  })
}

const NOT_TEXT = new Set(['role', 'content', 'tool_call_id'])

function textsOf(message: Fields): string[] {
  const { content } = message
  const texts = Array.isArray(content)
    ? (content as unknown[]).flatMap(textsOfPart)
    : textIn(content)
  for (const [name, value] of Object.entries(message)) {
    if (!NOT_TEXT.has(name)) texts.push(...textIn(value))
  }
  return texts
}

function textsOfPart(part: unknown): string[] {
  if (!isFields(part)) return textIn(part)
  const { type, text, refusal } = part
  return MEDIA.has(String(type)) || text !== undefined || refusal !== undefined
    ? [...textIn(text), ...textIn(refusal)]
    : textIn(part)
}

function textIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? [JSON.stringify(value)] : []
}

const MEDIA = new Set(['image_url', 'input_audio', 'file', 'video_url'])

function mediaTokensOf(part: Fields): MediaTokens {
  switch (part['type']) {
    case 'image_url':
      return imageTokensOf(fieldsOf(part['image_url']))
    case 'input_audio':
      return exactly(
        TOKENS_PER_IMAGE + Math.ceil(JSON.stringify(part).length / BASE64_PER_AUDIO_TOKEN),
      )
    case 'file':
    case 'video_url':
      return fileTokensOf(JSON.stringify(part))
    default:
      return exactly(0)
  }
}

/** `url` may be a data URL. */
export function imageTokensOf({ url, detail }: Fields): MediaTokens {
  const bound = mostImageTokens(detail)
  const isHere = typeof url === 'string' && url.startsWith('data:')
  const most = isHere
    ? Math.min(bound, Math.max(TOKENS_PER_IMAGE, Math.ceil(url.length / BASE64_PER_IMAGE_TOKEN)))
    : bound
  return { likely: detail === 'low' ? TOKENS_PER_SMALL_IMAGE : TOKENS_PER_IMAGE, most }
}

/** `part` is JSON or a data URL. Without a data URL the document is at another address. */
export function fileTokensOf(part: string): MediaTokens {
  const [likely, most] = [BASE64_PER_FILE_TOKEN.likely, BASE64_PER_FILE_TOKEN.least].map(
    (perToken) => TOKENS_PER_IMAGE + Math.ceil(part.length / perToken),
  ) as [number, number]
  return {
    likely,
    most: part.includes('data:') ? most : Math.max(most, MOST_TOKENS_PER_REMOTE_FILE),
  }
}

function exactly(tokens: number): MediaTokens {
  return { likely: tokens, most: tokens }
}
