/** Reads a body of the Responses API. Fields that the gateway does not set pass unchanged. */
import { readConfirmLoop } from '../../../calls/quote/confirm-loop.ts'
import { readMaxCost } from '../../../calls/quote/max-cost.ts'
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import {
  assertShallow,
  readModelName,
  readStream,
  type CompletionRequest,
} from '../../ask/read-request.ts'
import { withFields } from '../../ask/request-fields.ts'
import { invalidField } from '../own-form.ts'
import { toolsOf, type ToolRules } from '../request-tools.ts'
import { chatOfResponses } from './chat-of-responses.ts'
import { promptOfResponses } from './responses-prompt.ts'

const FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'max_cost_cents',
  'confirm_loop',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'reasoning',
  'text',
  'include',
  'temperature',
  'top_p',
  'top_logprobs',
  'truncation',
  'metadata',
  'client_metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'service_tier',
  'store',
  'provider',
  'session_id',
  // Rejected with their own advice.
  'background',
  'previous_response_id',
  'conversation',
  'prompt',
  'context_management',
])
const SERVICE_TIERS: readonly unknown[] = [undefined, null, 'auto', 'default', 'flex']
/** Tools that the client runs itself, and groups of them. */
const CLIENT_TOOLS: readonly unknown[] = [
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'namespace',
]
const TOOL_RULES: ToolRules = {
  isClientTool: ({ type, environment, execution }) =>
    CLIENT_TOOLS.includes(type) ||
    (type === 'shell' && fieldsOf(environment)['type'] === 'local') ||
    (type === 'tool_search' && execution === 'client'),
  records:
    /^(?:message|agent_message|reasoning|compaction|compaction_summary|context_compaction|ghost_snapshot|additional_tools|mcp_list_tools|mcp_approval_request)$|_(?:call|output)$/,
  work: /^(?:compaction_trigger|item_reference|mcp_approval_response|program)$/,
  fix: 'Send tools of type "function". In Codex set web_search = "disabled". For web search, run the action core/onesearch.',
}
/** The longest response of a caller that sets no limit. A model's own lower limit applies. */
const DEFAULT_MAX_TOKENS = 32_000

/** Throws AppError `invalid_params` with the field, before any hold. */
export function readResponsesRequest(
  value: unknown,
  extraFields: ReadonlySet<string>,
): CompletionRequest {
  if (!isFields(value))
    throw invalidField('', 'The body must be a JSON object.', 'Send {"model": …, "input": …}.')
  assertShallow(value)
  const {
    max_cost_cents: maxCostCents,
    confirm_loop: token,
    ...body
  } = withFields(value, FIELDS, extraFields)
  refuseState(body)
  refuseValues(body)
  const { tools, unknown } = toolsOf(body, TOOL_RULES)
  const { prompt, hasImages } = promptOfResponses(body)
  return {
    model: readModelName(body['model']),
    fallbacks: [],
    messages: [],
    tools: [],
    rest: {},
    stream: readStream(body['stream']),
    wantsUsage: true,
    ...readLimit(body['max_output_tokens']),
    isLimitedByModel: true,
    choices: 1,
    maxCost: readMaxCost(maxCostCents),
    confirmLoop: readConfirmLoop(token),
    needs: { tools: tools.length > 0, images: hasImages },
    own: {
      wire: 'responses',
      // Without this field, OpenAI stores the response under the operator's account.
      body: { ...body, store: false },
      limitField: 'max_output_tokens',
      headersFor: () => ({}),
      prompt,
      unknown,
      toChat: (target) => chatOfResponses(body, target),
    },
  }
}

function readLimit(limit: unknown): Pick<CompletionRequest, 'maxTokens' | 'namesLimit'> {
  if (limit === undefined || limit === null)
    return { maxTokens: DEFAULT_MAX_TOKENS, namesLimit: false }
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1)
    throw invalidField(
      'max_output_tokens',
      '"max_output_tokens" must be a whole number of at least 1.',
    )
  return { maxTokens: limit, namesLimit: true }
}

const STATELESS =
  'Send the whole conversation in "input". In the AI SDK set providerOptions.openai.store to false; in the Agents SDK do not use conversations or previous responses.'

/** The gateway stores no responses, so it cannot continue one. */
function refuseState(body: Fields): void {
  if (body['store'] === true)
    throw invalidField(
      'store',
      'The gateway stores no responses.',
      'Send "store": false, or omit it. In the AI SDK set providerOptions.openai.store to false; in the Agents SDK set modelSettings.store to false.',
    )
  if (body['background'] === true)
    throw invalidField(
      'background',
      'The gateway does not run responses in the background.',
      'Omit "background" and set "stream" to true for long responses.',
    )
  for (const name of ['previous_response_id', 'conversation', 'prompt'])
    if (body[name] !== undefined && body[name] !== null)
      throw invalidField(name, `The gateway stores nothing that "${name}" could name.`, STATELESS)
  if (listedFields(body['input']).some(({ type }) => type === 'item_reference'))
    throw invalidField('input', 'The gateway stores no items to refer to.', STATELESS)
}

function refuseValues({ service_tier: tier, context_management: management, store }: Fields): void {
  if (!SERVICE_TIERS.includes(tier))
    throw invalidField(
      'service_tier',
      'This service tier has other prices and is not available.',
      'Omit "service_tier".',
    )
  if (management !== undefined && management !== null)
    throw invalidField(
      'context_management',
      'The router does not offer compaction.',
      'Compact the conversation in the client.',
    )
  if (store !== undefined && store !== null && typeof store !== 'boolean')
    throw invalidField('store', '"store" must be false.')
}
