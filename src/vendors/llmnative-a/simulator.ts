/** Anthropic's API: POST /messages with the header x-api-key. */
import { fieldsOf, type Fields } from '../../lib/json-fields.ts'
import { shortHash } from '../../simulators/content.ts'
import { answerWords, lastQuestion, listOf, promptTokens } from '../../simulators/model-content.ts'
import { headerCredential, routed } from '../../simulators/routed.ts'
import { sampleOf } from '../../simulators/schema-sample.ts'
import type { SimulatedReply, SimulatedRequest } from '../../simulators/vendor.ts'

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const llmnativeA = routed({
  credential: headerCredential('x-api-key'),
  quotaStatus: 402,
  failure: (status, reason) => ({
    status,
    json: {
      type: 'error',
      error: {
        type: TYPES[status] ?? 'api_error',
        message:
          reason === 'quota'
            ? 'The credit is used up (simulated).'
            : `Simulated failure with status ${status}.`,
      },
      request_id: 'req_simulated',
    },
  }),
  routes: { 'POST /messages': messages },
})

function messages({ body, headers }: SimulatedRequest): SimulatedReply {
  const { model, max_tokens: limit, messages: said, tools } = fieldsOf(body)
  const list = listOf(said)
  if (typeof limit !== 'number' || list.length === 0 || headers['anthropic-version'] === undefined)
    return llmnativeA.failure(400, 'fault')
  const [tool] = listOf(tools)
  const words =
    tool === undefined
      ? answerWords(lastQuestion(list))
      : [JSON.stringify(sampleOf(tool['input_schema']))]
  const kept = words.slice(0, limit)
  return {
    status: 200,
    json: {
      id: `msg_${shortHash(JSON.stringify(list))}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [tool === undefined ? { type: 'text', text: kept.join('') } : toolUse(tool)],
      stop_reason:
        tool !== undefined ? 'tool_use' : kept.length < words.length ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: promptTokens(list, tools),
        output_tokens: kept.length,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      simulated: true,
    },
  }
}

function toolUse(tool: Fields): unknown {
  return {
    type: 'tool_use',
    id: `toolu_${shortHash(JSON.stringify(tool))}`,
    name: tool['name'],
    input: sampleOf(tool['input_schema']),
  }
}

export const simulators = { 'llmnative-a': llmnativeA }
