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
import type { Candidate } from '../../lists/model.ts'
import { invalidField, untranslatable } from '../own-form.ts'
import { toolsOf, type ToolRules } from '../request-tools.ts'
import { betasFor } from './beta-header.ts'
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
const CLIENT_TOOL =
  /^(?:custom|tool_search_tool_(?:bm25|regex)|(?:bash|text_editor|computer|memory|computer_toolset|browser_toolset|tool_search_tool_(?:bm25|regex))_\d{8})$/
const TOOL_RULES: ToolRules = {
  isClientTool: ({ type, input_schema: schema }) =>
    type == null ? isFields(schema) : typeof type === 'string' && CLIENT_TOOL.test(type),
  records:
    /^(?:text|image|document|thinking|redacted_thinking|container_upload|compaction|tool_addition|tool_removal|mcp_tool_listing|fallback|tool_reference|browser_state)$|_(?:use|result)$/,
  work: /^container_upload$/,
  fix: 'Remove it from the tools. In Claude Code, deny it with --disallowedTools WebSearch. For web search, run the action core/onesearch.',
}

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
  if (typeof maxTokens !== 'number' || !Number.isSafeInteger(maxTokens) || maxTokens < 0)
    throw invalidField(
      'max_tokens',
      '"max_tokens" must be a whole number of at least 1, or 0 to fill the prompt cache.',
    )
  refuseValues(body)
  const { tools, unknown } = toolsOf(body, TOOL_RULES)
  const messages = readMessages(body['messages'])
  const { prompt, hasImages } = promptOfMessages(body, messages)
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
      headersFor: (candidate) => versionHeaders(headers, candidate),
      prompt,
      unknown,
      toChat(target) {
        if (maxTokens === 0) throw untranslatable('max_tokens', 'limit of 0')
        return chatOfMessages(body, target)
      },
    },
  }
}

const DEFAULT_VERSION = '2023-06-01'

function versionHeaders(
  {
    'anthropic-version': version = DEFAULT_VERSION,
    'anthropic-beta': sent = '',
  }: IncomingHttpHeaders,
  candidate: Candidate,
): Record<string, string> {
  const betas = betasFor(String(sent), candidate)
  return {
    'anthropic-version': String(version),
    ...(betas === null ? {} : { 'anthropic-beta': betas }),
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
  if (!edits.every(({ type }) => String(type).startsWith('clear_')))
    throw invalidField(
      'context_management',
      'The router offers only edits that clear content. The tokens of others, such as compaction, are not part of the reported usage.',
      'Remove the other edits, or compact the conversation in the client.',
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
