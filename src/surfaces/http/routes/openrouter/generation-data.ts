import type { TransactionRecord } from '../../../../history/transaction-record.ts'
import { fieldsOf } from '../../../../lib/json-fields.ts'

/** A language-model call in the format of OpenRouter's generations. Facts that are not stored are null. */
export function generationData(call: TransactionRecord): object {
  const hop = fieldsOf(call.hops.at(-1))
  const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = fieldsOf(
    hop['usage'],
  )
  const dollars = call.charged_micros / 1_000_000
  const prompt = prompt_tokens ?? null
  const completion = completion_tokens ?? null
  return {
    ...NOT_STORED,
    id: call.request_id,
    http_referer: call.http_referer,
    app_title: call.app_title,
    request_id: call.request_id,
    upstream_id: hop['generation_id'] ?? null,
    created_at: call.created_at,
    model: hop['action'] ?? call.action,
    provider_name: hop['provider'] ?? null,
    total_cost: dollars,
    usage: dollars,
    tokens_prompt: prompt,
    tokens_completion: completion,
    native_tokens_prompt: prompt,
    native_tokens_completion: completion,
    native_tokens_cached: cached_tokens ?? null,
    native_tokens_reasoning: reasoning_tokens ?? null,
    generation_time: call.latency_ms,
    api_type: 'completions',
    data_region: 'global',
    is_byok: false,
    origin: '',
  }
}

const NOT_STORED = {
  app_id: null,
  cache_discount: null,
  cancelled: null,
  external_user: null,
  finish_reason: null,
  latency: null,
  moderation_latency: null,
  native_finish_reason: null,
  native_tokens_completion_images: null,
  num_fetches: null,
  num_input_audio_prompt: null,
  num_media_completion: null,
  num_media_prompt: null,
  num_search_results: null,
  preset_id: null,
  provider_responses: null,
  response_cache_source_id: null,
  router: null,
  service_tier: null,
  session_id: null,
  streamed: null,
  upstream_inference_cost: null,
  user_agent: null,
  web_search_engine: null,
  workspace_id: null,
}
