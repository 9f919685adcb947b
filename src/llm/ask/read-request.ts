/** Reads a chat-completions body. Fields that are only passed on stay unchanged. */
import { readConfirmLoop } from '../../calls/quote/confirm-loop.ts'
import { readMaxCost } from '../../calls/quote/max-cost.ts'
import { AppError } from '../../errors/app-error.ts'
import { isFields, listedFields, type Fields } from '../../lib/json-fields.ts'
import type { Micros } from '../../lib/money.ts'
import type { Needs } from '../lists/directory.ts'
import type { OwnForm } from '../wires/own-form.ts'
import { toolsOf, type ToolRules } from '../wires/request-tools.ts'
import { checkTool, withKnownFields } from './request-fields.ts'

export type CompletionRequest = {
  readonly model: string
  /** Models or tiers to try after the first. */
  readonly fallbacks: readonly string[]
  /** The request in another API than chat completions; null for these. */
  readonly own: OwnForm | null
  /** Whether the caller speaks the legacy completions API, in which the response is one text. */
  readonly isText?: boolean
  readonly messages: readonly Fields[]
  readonly tools: readonly Fields[]
  /** Whether the response is streamed. */
  readonly stream: boolean
  /** Whether the caller requested the usage as the last event. */
  readonly wantsUsage: boolean
  readonly maxTokens: number
  /** Whether the caller set a limit; otherwise `maxTokens` is the default. */
  readonly namesLimit: boolean
  /** Whether a model's own limit bounds the response, too. */
  readonly isLimitedByModel: boolean
  /** The number of requested choices; each may use `maxTokens`. */
  readonly choices: number
  readonly maxCost: Micros | null
  /** The token that lets the call pass the loop breaker. */
  readonly confirmLoop: string | null
  readonly needs: Needs
  /** The body without the fields that the gateway sets itself. */
  readonly rest: Fields
}

export const DEFAULT_MAX_TOKENS = 4_096
const MOST_MAX_TOKENS = 16_384
const MOST_CHOICES = 16
const LONGEST_MODEL_NAME = 200
/**
 * Deeper than any sensible tool schema. A body with thousands of levels can be parsed but not
 * serialized.
 */
const DEEPEST = 200

const SERVICE_TIERS = [undefined, null, 'auto', 'default', 'flex']
const TOOL_RULES: ToolRules = {
  // Some upstreams treat an object without a type as their own search tool.
  isClientTool: ({ type, function: named }) =>
    type === 'function' || type === 'custom' || (type == null && isFields(named)),
  records: /./,
  work: /^$/,
  fix: 'Send tools of type "function".',
}

/**
 * `extraFields`: fields that the operator allows in addition. Throws AppError `invalid_params` with
 * the field, before any hold.
 */
export function readCompletionRequest(
  body: unknown,
  extraFields: ReadonlySet<string> = new Set(),
): CompletionRequest {
  if (!isFields(body))
    throw invalid(
      '',
      'The body must be a JSON object.',
      'Send a chat-completions body: {"model": …, "messages": […]}.',
    )
  assertShallow(body)
  const {
    model: first,
    models,
    stream,
    max_cost_cents: maxCostCents,
    confirm_loop: token,
    max_tokens: _maxTokens,
    max_completion_tokens: _maxCompletionTokens,
    ...rest
  } = withKnownFields(body, extraFields)
  const { messages, tools, n, stream_options: streamOptions } = rest
  const [name, ...fallbacks] = readModelNames(first, models)
  const isStream = readStream(stream)
  refuseValues(body)
  const { tools: found } = toolsOf(body, TOOL_RULES)
  for (const { path, tool } of found) checkTool(tool, path)
  const readMessages = readMessageList(messages)
  return {
    model: name,
    fallbacks,
    own: null,
    messages: readMessages,
    tools: listedFields(tools),
    stream: isStream,
    isLimitedByModel: false,
    wantsUsage: isFields(streamOptions) && streamOptions['include_usage'] === true,
    ...readMaxTokens(body),
    choices: readChoices(n),
    maxCost: readMaxCost(maxCostCents),
    confirmLoop: readConfirmLoop(token),
    needs: {
      tools: found.length > 0,
      images: readMessages.some(({ content }) =>
        listedFields(content).some(({ type }) => type === 'image_url'),
      ),
    },
    rest: tools === null ? { ...rest, tools: undefined } : rest,
  }
}

/** Throws AppError `invalid_params` unless the value names a model or a tier. */
export function readModelName(model: unknown): string {
  if (typeof model !== 'string' || model === '' || model.length > LONGEST_MODEL_NAME)
    throw invalid(
      'model',
      '"model" must be the name of a model or a tier.',
      'Send for example "model": "core/cheap".',
    )
  if (model.endsWith(':online'))
    throw invalid('model', 'Models that search the web are not available.', 'Remove ":online".')
  return model
}

const MOST_MODELS = 8

/** `model`, then the names in `models`, each once. */
function readModelNames(first: unknown, models: unknown): [string, ...string[]] {
  if (models === undefined || models === null) return [readModelName(first)]
  if (!Array.isArray(models) || models.length === 0 || models.length > MOST_MODELS)
    throw invalid(
      'models',
      `"models" must be a list of 1 to ${MOST_MODELS} models.`,
      'Name the models in the order in which to try them.',
    )
  const listed = models as readonly unknown[]
  const named = first === undefined || first === null ? listed : [first, ...listed]
  const [name = '', ...others] = new Set(named.map(readModelName))
  return [name, ...others]
}

/** Throws AppError `invalid_params` unless the value is a boolean, or absent. */
export function readStream(stream: unknown): boolean {
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw invalid('stream', '"stream" must be true or false.')
  return stream === true
}

/** Throws AppError `invalid_params` for a body with too many levels. */
export function assertShallow(body: Fields): void {
  if (!isWithinDepth(body, DEEPEST))
    throw invalid('', `The body is nested deeper than ${DEEPEST} levels.`, 'Send a flatter body.')
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((item) => isWithinDepth(item, levels - 1))
  for (const name in value) if (!isWithinDepth((value as Fields)[name], levels - 1)) return false
  return true
}

function refuseValues(body: Fields): void {
  const { modalities, store } = body
  const isText = Array.isArray(modalities) && modalities.every((one) => one === 'text')
  if (modalities !== undefined && modalities !== null && !isText)
    throw invalid(
      'modalities',
      'This router returns only text.',
      'Omit "modalities", or send ["text"].',
    )
  if (store !== undefined && store !== null && store !== false)
    throw invalid('store', 'The upstream stores no responses.', 'Omit "store".')
  if (!SERVICE_TIERS.includes(body['service_tier'] as string))
    throw invalid(
      'service_tier',
      'This service tier has other prices and is not available.',
      'Omit "service_tier".',
    )
}

function readMessageList(messages: unknown): readonly Fields[] {
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid(
      'messages',
      '"messages" must be a list of at least one message.',
      'Send for example "messages": [{"role": "user", "content": "Hello"}].',
    )
  messages.forEach((message: unknown, place) => {
    if (!isFields(message) || typeof message['role'] !== 'string')
      throw invalid(`messages[${place}]`, 'A message is an object with "role" and "content".')
  })
  return messages as Fields[]
}

/** A larger value is lowered to the maximum. */
function readMaxTokens(body: Fields): Pick<CompletionRequest, 'maxTokens' | 'namesLimit'> {
  const name = body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens'
  const requested = body[name]
  if (requested === undefined || requested === null)
    return { maxTokens: DEFAULT_MAX_TOKENS, namesLimit: false }
  if (typeof requested !== 'number' || !Number.isSafeInteger(requested) || requested < 1)
    throw invalid(name, `"${name}" must be a whole number of at least 1.`)
  return { maxTokens: Math.min(requested, MOST_MAX_TOKENS), namesLimit: true }
}

function readChoices(n: unknown): number {
  if (n === undefined || n === null) return 1
  if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1 || n > MOST_CHOICES)
    throw invalid('n', `"n" must be a whole number from 1 to ${MOST_CHOICES}.`)
  return n
}

function invalid(
  param: string,
  message: string,
  fix = 'Correct the body and send it again.',
): AppError {
  return new AppError('invalid_params', message, { ...(param === '' ? {} : { param }), fix })
}
