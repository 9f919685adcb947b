/** How many tokens a prompt makes: guessed before a call, counted when the upstream did not report it. */
import { countTokens } from '../lib/count-tokens.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import { partsOf, type CompletionRequest, type Fields } from './read-request.ts'

// What the chat format adds around each message, and before the answer.
const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_ANSWER = 3
// Makers count an image at 85 to about 1600 tokens, by its size; the size is not looked at.
const TOKENS_PER_IMAGE = 1_600
const TOKENS_PER_SMALL_IMAGE = 85
// Ten tokens a second of speech, at the least bytes that a second takes.
const BASE64_PER_AUDIO_TOKEN = 400
// Longer prompts are guessed, so that counting never holds up other calls.
const LONGEST_COUNTED = 400_000

export type Prompt = { readonly text: string; readonly mediaTokens: number; readonly messageCount: number; readonly imageCount: number }

/** The text of everything that the model reads, and what stands beside it. */
export function promptOf({ messages, tools, rest }: CompletionRequest): Prompt {
  const texts: string[] = []
  let mediaTokens = 0
  let imageCount = 0
  for (const message of messages) {
    texts.push(...textsOf(message))
    for (const part of partsOf(message['content'])) {
      if (part['type'] === 'image_url') imageCount += 1
      mediaTokens += mediaTokensOf(part)
    }
  }
  if (tools.length > 0) texts.push(JSON.stringify(tools))
  if (rest['response_format'] !== undefined) texts.push(JSON.stringify(rest['response_format']))
  return { text: texts.join('\n'), mediaTokens, messageCount: messages.length, imageCount }
}

export function estimatePrompt({ text, mediaTokens, messageCount }: Prompt): number {
  return estimateTokens(text) + mediaTokens + messageCount * TOKENS_PER_MESSAGE + TOKENS_PER_ANSWER
}

export function countPrompt(prompt: Prompt): number {
  if (prompt.text.length > LONGEST_COUNTED) return estimatePrompt(prompt)
  return countTokens(prompt.text) + prompt.mediaTokens + prompt.messageCount * TOKENS_PER_MESSAGE + TOKENS_PER_ANSWER
}

function textsOf(message: Fields): string[] {
  const { content } = message
  const texts = typeof content === 'string' ? [content] : partsOf(content).flatMap(({ text, refusal }) => [text, refusal].filter((one) => typeof one === 'string'))
  if (typeof message['name'] === 'string') texts.push(message['name'])
  for (const field of ['tool_calls', 'function_call', 'reasoning', 'reasoning_details'] as const) {
    if (message[field] !== undefined && message[field] !== null) texts.push(JSON.stringify(message[field]))
  }
  return texts
}

function mediaTokensOf(part: Fields): number {
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return 0
    case 'image_url':
      return (part['image_url'] as Fields | undefined)?.['detail'] === 'low' ? TOKENS_PER_SMALL_IMAGE : TOKENS_PER_IMAGE
    default:
      // Audio and files: bounded by what was sent.
      return Math.ceil(JSON.stringify(part).length / BASE64_PER_AUDIO_TOKEN) + TOKENS_PER_IMAGE
  }
}
