/** Reads a body of the legacy completions API: a chat completion whose only message is the prompt. */
import { isFields } from '../../../lib/json-fields.ts'
import { readCompletionRequest, type CompletionRequest } from '../../ask/read-request.ts'
import { withFields } from '../../ask/request-fields.ts'
import { invalidField } from '../own-form.ts'

const PASSED_ON = [
  'model',
  'models',
  'max_tokens',
  'max_cost_cents',
  'confirm_loop',
  'stream',
  'stream_options',
  'n',
  'stop',
  'seed',
  'temperature',
  'top_p',
  'top_k',
  'top_a',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'metadata',
  'user',
  'provider',
  'reasoning',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'service_tier',
  'session_id',
  'transforms',
  'usage',
] as const

/** Fields that chat completions cannot express, and the values that change nothing. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>(
  [
    ['echo', [false]],
    ['best_of', [1]],
    ['suffix', ['']],
    ['logprobs', [0, false]],
  ],
)

const FIELDS: ReadonlySet<string> = new Set([...PASSED_ON, 'prompt', ...WITHOUT_EFFECT.keys()])

/** Throws AppError `invalid_params` with the field, before any hold. */
export function readTextRequest(
  value: unknown,
  extraFields: ReadonlySet<string>,
): CompletionRequest {
  if (!isFields(value))
    throw invalidField('', 'The body must be a JSON object.', 'Send {"model": …, "prompt": …}.')
  const { prompt, ...fields } = withFields(value, FIELDS, extraFields)
  for (const [name, values] of WITHOUT_EFFECT) {
    const sent = fields[name] ?? null
    if (sent !== null && !values.includes(sent))
      throw invalidField(
        name,
        `"${name}" is not available, because the models speak chat completions.`,
        `Omit "${name}".`,
      )
  }
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !WITHOUT_EFFECT.has(name)),
  )
  const chat = { ...rest, messages: [{ role: 'user', content: readPrompt(prompt) }] }
  return { ...readCompletionRequest(chat, extraFields), isText: true }
}

function readPrompt(prompt: unknown): string {
  const [text, ...others] = Array.isArray(prompt) ? (prompt as readonly unknown[]) : [prompt]
  if (others.length > 0 && typeof text === 'string')
    throw invalidField(
      'prompt',
      `"prompt" has ${others.length + 1} prompts.`,
      'Send one request per prompt. In LangChain, set batch_size to 1.',
    )
  if (typeof text !== 'string' || text === '')
    throw invalidField(
      'prompt',
      '"prompt" must be a text. Lists of tokens are not available.',
      'Send for example "prompt": "Write a greeting."',
    )
  return text
}
