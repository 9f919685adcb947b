/** The list of models as clients of the Messages API read it. */
import { toRfc3339 } from '../../lib/clock.ts'
import type { Offer } from '../../llm/lists/directory.ts'
import type { Model } from '../../llm/lists/model.ts'

/** GET /api/llm/v1/models with the header `anthropic-version`: the whole list as one page. */
export function messagesModels({ tiers, models }: Offer) {
  const data = [
    ...[...tiers]
      .filter(([, members]) => members.length > 0)
      .map(([tier]) => messagesModel(tier, undefined)),
    ...models.map(({ id, model }) => messagesModel(id, model)),
  ]
  return {
    data,
    has_more: false,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** One model; a tier has none. */
export function messagesModel(id: string, model: Model | undefined) {
  return {
    type: 'model',
    id,
    display_name: model?.name ?? id,
    created_at: toRfc3339((model?.createdSeconds ?? 0) * 1000),
    ...(model === undefined
      ? {}
      : {
          max_input_tokens: model.contextLength,
          max_tokens: model.maxCompletionTokens,
        }),
  }
}
