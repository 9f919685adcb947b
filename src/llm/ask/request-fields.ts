/**
 * The body fields that the router passes on. Other fields could cost more than the hold covers, or
 * redirect the request.
 */
import { quoted } from '../../catalog/validate/expectation.ts'
import { suggest } from '../../catalog/validate/suggest.ts'
import { AppError } from '../../errors/app-error.ts'
import { isFields, type Fields } from '../../lib/json-fields.ts'

/** Fields that the gateway reads, checks or sets itself. */
const READ_HERE = [
  'model',
  'models',
  'messages',
  'tools',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'max_cost_cents',
  'confirm_loop',
  'modalities',
  'service_tier',
  'store',
  'user',
  'provider',
  'reasoning',
  'usage',
] as const

/** Fields that shape the response within the hold: OpenAI's, then OpenRouter's. */
const PASSED_ON = [
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'metadata',
  'parallel_tool_calls',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'stop',
  'temperature',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'verbosity',
  'cache_control',
  'include_reasoning',
  'min_p',
  'repetition_penalty',
  'session_id',
  'structured_outputs',
  'top_a',
  'top_k',
  'transforms',
] as const

/** Allowed fields of the objects among them, which could otherwise request more. */
const NESTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['reasoning', ['effort', 'max_tokens', 'exclude', 'enabled', 'summary']],
  [
    'provider',
    [
      'order',
      'only',
      'ignore',
      'allow_fallbacks',
      'require_parameters',
      'data_collection',
      'zdr',
      'enforce_distillable_text',
      'quantizations',
      'sort',
      'max_price',
      'preferred_min_throughput',
      'preferred_max_latency',
    ],
  ],
  ['usage', ['include']],
  ['stream_options', ['include_usage', 'include_obfuscation', 'continuous_usage_stats']],
  ['prompt_cache_options', ['mode', 'ttl']],
])
const TOOL_FIELDS: readonly string[] = ['type', 'function', 'custom', 'cache_control']

/**
 * Fields that select other models, addresses or limits than the gateway's. No setting allows them:
 * a caller could redirect the operator's proxy, get a response without a model, or exceed the held
 * tokens.
 */
const NEVER: ReadonlySet<string> = new Set([
  ...READ_HERE,
  'fallbacks',
  'route',
  'preset',
  'background',
  'api_base',
  'base_url',
  'api_key',
  'api_version',
  'custom_llm_provider',
  'mock_response',
  'user_config',
  'model_list',
  'litellm_params',
  'extra',
  'extra_body',
  'extra_headers',
  'extra_query',
  'options',
  'parameters',
  'generation_config',
  'generationConfig',
  'max_output_tokens',
  'max_new_tokens',
  'num_predict',
  'prompt',
  'input',
])
const NAME = /^[A-Za-z][\w-]{0,63}$/

const ALLOWED: ReadonlySet<string> = new Set([...READ_HERE, ...PASSED_ON])

/**
 * Reads the operator's extra fields. Returns the first name that is forbidden or invalid instead of
 * the set.
 */
export function readExtraFields(
  names: readonly string[],
): { readonly fields: ReadonlySet<string> } | { readonly refused: string } {
  const refused = names.find((name) => NEVER.has(name) || !NAME.test(name))
  return refused === undefined ? { fields: new Set(names) } : { refused }
}

/**
 * The body of a chat completion without unknown fields that are null. Throws AppError
 * `invalid_params` with the first other unknown field.
 */
export function withKnownFields(body: Fields, extra: ReadonlySet<string>): Fields {
  const known = withFields(body, ALLOWED, extra)
  for (const [name, names] of NESTED) checkNested(name, body[name], names)
  return known
}

/** Like `withKnownFields`, for another list of fields. */
export function withFields(
  body: Fields,
  allowed: ReadonlySet<string>,
  extra: ReadonlySet<string>,
): Fields {
  const isKnown = (name: string): boolean => allowed.has(name) || extra.has(name)
  const unknown = Object.keys(body).filter((name) => !isKnown(name))
  const refused = unknown.find((name) => body[name] !== null)
  if (refused !== undefined) throw unknownField(refused, [...allowed, ...extra])
  if (allowed.has('provider'))
    checkNested('provider', body['provider'], NESTED.get('provider') ?? [])
  return unknown.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => isKnown(name)))
}

export function checkTool(tool: Fields, path: string): void {
  checkNested(path, tool, TOOL_FIELDS)
}

function checkNested(path: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || value === null) return
  if (!isFields(value))
    throw new AppError('invalid_params', `"${path}" must be an object.`, {
      param: path,
      fix: `Send an object with ${known.join(', ')}, or omit it.`,
    })
  const refused = Object.keys(value).find((name) => !known.includes(name))
  if (refused !== undefined)
    throw unknownField(
      `${path}.${refused}`,
      known.map((name) => `${path}.${name}`),
    )
}

function unknownField(param: string, known: readonly string[]): AppError {
  const near = suggest(param, known)
  const advice = near.length === 0 ? '' : `Did you mean ${near.map(quoted).join(', ')}? `
  const models = param === 'fallbacks'
  return new AppError(
    'invalid_params',
    `"${param.slice(0, 100)}" is not supported by this router.`,
    {
      param: param.slice(0, 100),
      fix: models
        ? 'Name the models in "models", or a tier such as core/mid, which falls back by itself.'
        : `${advice}Omit "${param.slice(0, 100)}". The operator of this gateway can allow more fields with ROUTER_EXTRA_FIELDS.`,
    },
  )
}
