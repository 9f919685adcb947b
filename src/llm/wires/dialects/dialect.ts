/** The dialects of chat completions: how upstreams differ in the requests that they accept. */
import type { Fields } from '../../../lib/json-fields.ts'

export type Dialect = {
  readonly limitField: 'max_tokens' | 'max_completion_tokens'
  /** Whether tools with free text are accepted. Otherwise they become functions. */
  readonly takesCustomTools: boolean
  /** Whether system messages are accepted after the beginning. */
  readonly takesLateSystem: boolean
  /** Whether a user's message can follow the result of a tool. */
  readonly takesUserAfterResult: boolean
  readonly takesImages: boolean
  /** Whether `cache_control` marks are accepted. */
  readonly takesCacheMarks: boolean
  /** The fields for a model's own earlier thoughts. */
  readonly thoughtFields: readonly ('reasoning' | 'reasoning_content')[]
  /** Whether earlier answers without thoughts are rejected. */
  readonly requiresThoughts: boolean
  /** Whether the ids of calls must have nine letters or digits. */
  readonly hasShortIds: boolean
  /** Added to each call of an earlier answer. */
  readonly callFields: Fields
  /** Fields of the request that it rejects or that only other upstreams know. */
  readonly unknownFields: readonly string[]
  /** `known`: sent only to models that are known to think, because others reject it. */
  readonly effort: 'always' | 'known'
  readonly efforts: readonly string[]
  /** The fields that turn off thinking; empty if the default must do. */
  readonly withoutThinking: Fields
}

const PLAIN_EFFORTS = ['low', 'medium', 'high']
const OPENAI_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
const OF_AGGREGATORS = ['provider', 'session_id']
const OF_OPENAI = [
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'verbosity',
  ...OF_AGGREGATORS,
]

/** For upstreams that are not recognized: only what all known ones accept. */
export const GENERIC: Dialect = {
  limitField: 'max_tokens',
  takesCustomTools: false,
  takesLateSystem: false,
  takesUserAfterResult: true,
  takesImages: true,
  takesCacheMarks: false,
  thoughtFields: ['reasoning_content'],
  requiresThoughts: false,
  hasShortIds: false,
  callFields: {},
  unknownFields: OF_OPENAI,
  effort: 'always',
  efforts: PLAIN_EFFORTS,
  withoutThinking: {},
}

const OPENAI: Dialect = {
  ...GENERIC,
  limitField: 'max_completion_tokens',
  takesCustomTools: true,
  takesLateSystem: true,
  thoughtFields: [],
  // It accepts metadata only for responses that it stores.
  unknownFields: ['metadata', 'top_k', ...OF_AGGREGATORS],
  efforts: OPENAI_EFFORTS,
}
const DEEPSEEK: Dialect = {
  ...GENERIC,
  takesImages: false,
  requiresThoughts: true,
  withoutThinking: { thinking: { type: 'disabled' } },
}
const VLLM: Dialect = {
  ...GENERIC,
  // Its versions read one or the other.
  thoughtFields: ['reasoning', 'reasoning_content'],
  withoutThinking: { chat_template_kwargs: { enable_thinking: false } },
}

export const DIALECTS = {
  generic: GENERIC,
  openai: OPENAI,
  azure: OPENAI,
  openrouter: {
    ...GENERIC,
    takesCacheMarks: true,
    thoughtFields: ['reasoning'],
    unknownFields: [],
    efforts: OPENAI_EFFORTS,
  },
  litellm: { ...GENERIC, takesCacheMarks: true, unknownFields: OF_AGGREGATORS },
  anthropic: {
    ...GENERIC,
    thoughtFields: [],
    unknownFields: [...OF_OPENAI, 'top_k'],
  },
  mistral: {
    ...GENERIC,
    takesUserAfterResult: false,
    thoughtFields: [],
    hasShortIds: true,
    unknownFields: [...OF_OPENAI, 'top_k', 'user', 'logprobs', 'top_logprobs'],
    effort: 'known',
    efforts: ['high'],
  },
  moonshot: {
    ...DEEPSEEK,
    takesImages: true,
    unknownFields: [...OF_OPENAI, 'top_k'],
  },
  deepseek: DEEPSEEK,
  gemini: {
    ...GENERIC,
    thoughtFields: [],
    // Google's value for calls whose signature was not stored.
    callFields: {
      extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
    },
    unknownFields: [...OF_OPENAI, 'top_k', 'user', 'parallel_tool_calls'],
  },
  vllm: VLLM,
  sglang: VLLM,
  ollama: {
    ...GENERIC,
    thoughtFields: ['reasoning'],
    effort: 'known',
    withoutThinking: { reasoning_effort: 'none' },
  },
} as const satisfies Readonly<Record<string, Dialect>>

export type DialectName = keyof typeof DIALECTS

export const DIALECT_NAMES = Object.keys(DIALECTS) as readonly DialectName[]

const HOSTS: readonly (readonly [host: RegExp, dialect: DialectName])[] = [
  [/^api\.openai\.com$/, 'openai'],
  [/\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/, 'azure'],
  [/^openrouter\.ai$/, 'openrouter'],
  [/^api\.anthropic\.com$/, 'anthropic'],
  [/^api\.mistral\.ai$/, 'mistral'],
  [/^api\.(?:moonshot\.(?:ai|cn)|kimi\.com)$/, 'moonshot'],
  [/^api\.deepseek\.com$/, 'deepseek'],
  [/(?:^|[.-])(?:generativelanguage|aiplatform)\.googleapis\.com$/, 'gemini'],
]
/** Names that operators also give to other servers of OpenAI's format. */
const AMBIGUOUS: readonly DialectName[] = ['generic', 'openai', 'azure']
/** The default ports of local servers. */
const PORTS: Readonly<Record<string, DialectName>> = { '11434': 'ollama', '30000': 'sglang' }

/** The dialect of the upstream with this name and origin: by its host, its name or its port. */
export function recognizeDialect(name: string, origin: string): DialectName {
  const { hostname, port } = new URL(origin)
  const hosted = HOSTS.find(([host]) => host.test(hostname))?.[1]
  const named = DIALECT_NAMES.find((one) => one === name && !AMBIGUOUS.includes(one))
  return hosted ?? named ?? PORTS[port] ?? 'generic'
}
