/** Reads a body of the Messages API. Fields that the gateway does not set pass unchanged. */
import type { IncomingHttpHeaders } from 'node:http'
import { readConfirmLoop } from '../../../calls/quote/confirm-loop.ts'
import { readMaxCost } from '../../../calls/quote/max-cost.ts'
import { isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import {
  assertShallow,
  readModelName,
  readStream,
  type CompletionRequest,
} from '../../ask/read-request.ts'
import { withFields } from '../../ask/request-fields.ts'
import { invalidField } from '../own-form.ts'
import { chatOfMessages } from './chat-of-messages.ts'
import { promptOfMessages } from './messages-prompt.ts'

const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'max_cost_cents',
  'confirm_loop',
  'stream',
  'metadata',
  'stop_sequences',
  'temperature',
  'top_k',
  'top_p',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'cache_control',
  'context_management',
  'service_tier',
  'provider',
  'session_id',
])
const SERVICE_TIERS: readonly unknown[] = [undefined, null, 'auto', 'standard_only']
/** Tools that the client runs itself, or that cost only tokens. */
const CLIENT_TOOL = /^(?:custom|(?:bash|text_editor|computer|memory|tool_search_tool)_.*)$/

/** Throws AppError `invalid_params` with the field, before any hold. */
export function readMessagesRequest(
  value: unknown,
  headers: IncomingHttpHeaders,
  extraFields: ReadonlySet<string>,
): CompletionRequest {
  if (!isFields(value))
    throw invalidField(
      '',
      'The body must be a JSON object.',
      'Send {"model": …, "max_tokens": …, "messages": […]}.',
    )
  assertShallow(value)
  const {
    max_cost_cents: maxCostCents,
    confirm_loop: token,
    ...body
  } = withFields(value, FIELDS, extraFields)
  const { max_tokens: maxTokens, stream } = body
  if (typeof maxTokens !== 'number' || !Number.isSafeInteger(maxTokens) || maxTokens < 1)
    throw invalidField('max_tokens', '"max_tokens" must be a whole number of at least 1.')
  refuseValues(body)
  const tools = readTools(body['tools'])
  const messages = readMessages(body['messages'])
  const { prompt, hasImages } = promptOfMessages(body, messages, tools)
  return {
    model: readModelName(body['model']),
    fallbacks: [],
    messages: [],
    tools: [],
    rest: {},
    stream: readStream(stream),
    wantsUsage: true,
    maxTokens,
    namesLimit: true,
    isLimitedByModel: true,
    choices: 1,
    maxCost: readMaxCost(maxCostCents),
    confirmLoop: readConfirmLoop(token),
    needs: { tools: tools.length > 0, images: hasImages },
    own: {
      wire: 'messages',
      body,
      limitField: 'max_tokens',
      headers: versionHeaders(headers),
      prompt,
      toChat: (options) => chatOfMessages(body, options),
    },
  }
}

const DEFAULT_VERSION = '2023-06-01'

function versionHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { 'anthropic-version': version = DEFAULT_VERSION, 'anthropic-beta': beta } = headers
  return {
    'anthropic-version': String(version),
    ...(beta === undefined ? {} : { 'anthropic-beta': String(beta) }),
  }
}

function refuseValues(body: Fields): void {
  const { service_tier: tier, context_management: management } = body
  if (!SERVICE_TIERS.includes(tier))
    throw invalidField(
      'service_tier',
      'This service tier has other prices and is not available.',
      'Omit "service_tier".',
    )
  const edits = isFields(management) ? listedFields(management['edits']) : []
  if (edits.some(({ type }) => String(type).startsWith('compact')))
    throw invalidField(
      'context_management',
      'The router does not offer compaction, because its tokens are not part of the reported usage.',
      'Remove the compaction edit, or compact the conversation in the client.',
    )
}

function readMessages(messages: unknown): readonly Fields[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalidField(
      'messages',
      '"messages" must be a list of at least one message.',
      'Send for example "messages": [{"role": "user", "content": "Hello"}].',
    )
  messages.forEach((message: unknown, place) => {
    if (!isFields(message) || typeof message['role'] !== 'string')
      throw invalidField(`messages[${place}]`, 'A message is an object with "role" and "content".')
  })
  return messages as Fields[]
}

function readTools(tools: unknown): readonly Fields[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw invalidField('tools', '"tools" must be a list.')
  tools.forEach((tool: unknown, place) => {
    if (!isFields(tool)) throw invalidField(`tools[${place}]`, 'A tool is an object.')
    const { type } = tool
    if (type === undefined || type === null) return
    if (typeof type !== 'string' || !CLIENT_TOOL.test(type))
      throw invalidField(
        `tools[${place}].type`,
        `The router does not offer the tool ${JSON.stringify(type).slice(0, 60)}: the upstream runs it, so it costs more than tokens.`,
        'Remove it from the tools. In Claude Code, deny it with --disallowedTools WebSearch. For web search, run the action core/onesearch.',
      )
  })
  return tools as Fields[]
}
