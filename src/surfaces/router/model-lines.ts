/** The list of models as clients of OpenAI and of OpenRouter read it. */
import type { Offer } from '../../llm/lists/directory.ts'
import type { Candidate } from '../../llm/lists/model.ts'
import { dollarsText } from './offer-documents.ts'

// For models whose upstream lists no parameters.
const USUAL_PARAMETERS = ['max_tokens', 'temperature', 'top_p', 'stop', 'tools', 'tool_choice']

/** GET /api/llm/v1/models. Prices are in dollars per token, as aggregators list them. */
export function modelsDocument({ tiers, models }: Offer) {
  const aliases = [...tiers].flatMap(([tier, members]) => {
    const [first] = members
    return first === undefined ? [] : [tierLine(tier, first, members)]
  })
  const data = [...aliases, ...models.map(modelLine)]
  return { object: 'list', data, total_count: data.length, links: { next: null } }
}

/** The list for a version of Codex, which warns at each start without its own field. */
export function codexModelsDocument(offer: Offer) {
  return { ...modelsDocument(offer), models: [] }
}

/** A tier. Its prices and capabilities are those of the dearest and of the first member. */
export function tierLine(tier: string, first: Candidate, members: readonly Candidate[]) {
  const most = (kind: 'prompt' | 'completion'): bigint =>
    members.reduce((dearest, { rates }) => (rates[kind] > dearest ? rates[kind] : dearest), 0n)
  return {
    ...modelLine(first),
    id: tier,
    canonical_slug: tier,
    created: 0,
    owned_by: 'tollgate',
    name: tier,
    pricing: { prompt: dollarsText(most('prompt')), completion: dollarsText(most('completion')) },
    links: { details: detailsOf(tier) },
    members: members.map(({ id }) => id),
  }
}

export function modelLine({ id, model, rates }: Candidate) {
  const { contextLength, maxCompletionTokens, inputModalities } = model
  return {
    id,
    object: 'model',
    canonical_slug: id,
    created: model.createdSeconds,
    owned_by: id.includes('/') ? id.slice(0, id.indexOf('/')).replace(/^~/, '') : 'upstream',
    name: model.name,
    context_length: contextLength,
    max_completion_tokens: maxCompletionTokens,
    input_modalities: inputModalities,
    architecture: {
      modality: `${inputModalities.join('+')}->text`,
      input_modalities: inputModalities,
      output_modalities: ['text'],
      instruct_type: null,
    },
    pricing: {
      prompt: dollarsText(rates.prompt),
      completion: dollarsText(rates.completion),
      ...(rates.cacheRead === undefined ? {} : { input_cache_read: dollarsText(rates.cacheRead) }),
      ...(rates.cacheWrite === undefined
        ? {}
        : { input_cache_write: dollarsText(rates.cacheWrite) }),
    },
    top_provider: {
      context_length: contextLength,
      max_completion_tokens: maxCompletionTokens,
      is_moderated: false,
    },
    per_request_limits: null,
    default_parameters: null,
    supported_parameters: model.parameters ?? USUAL_PARAMETERS,
    supported_voices: null,
    links: { details: detailsOf(id) },
  }
}

function detailsOf(id: string): string {
  return `/api/llm/v1/models/${id}`
}
