/** The public lists of models and their prices. */
import { toRfc3339 } from '../../lib/clock.ts'
import { dollarsPerMillion, type TokenRates } from '../../llm/tokens/token-price.ts'
import type { Offer } from '../../llm/lists/directory.ts'
import { isFree } from '../../llm/lists/free-rates.ts'
import type { RateOverride } from '../../llm/lists/model-rates.ts'
import type { Candidate } from '../../llm/lists/model.ts'

/** GET /api/llm/v1/pricing, in dollars per million tokens. `isLive` is false if only test keys get these prices. */
export function pricingDocument({ tiers, models, fetchedMs }: Offer, isLive: boolean) {
  return {
    ok: true,
    currency: 'USD',
    unit: 'million tokens',
    live: isLive,
    // Null until the first list was loaded.
    updated_at: fetchedMs === 0 ? null : toRfc3339(fetchedMs),
    tiers: Object.fromEntries([...tiers].map(([tier, members]) => [tier, members.map(priceLine)])),
    models: models.map(priceLine),
  }
}

function priceLine({ id, model, rates }: Candidate) {
  const overrides = rates.overrides.map(overrideLine)
  return {
    model: id,
    ...ratesLine(rates),
    ...(rates.image === undefined ? {} : { per_image: Number(dollarsText(rates.image)) }),
    ...(isFree(rates) ? { free: true } : {}),
    context_length: model.contextLength,
    ...(overrides.length === 0 ? {} : { overrides }),
  }
}

function ratesLine({
  prompt,
  completion,
  cacheRead,
  cacheWrite,
  reasoning,
  audio,
  request,
}: TokenRates) {
  const further = { cached_prompt: cacheRead, cache_write: cacheWrite, reasoning, audio }
  const own = Object.entries(further).flatMap(([name, rate]) =>
    rate === undefined ? [] : [[name, dollarsPerMillion(rate)] as const],
  )
  return {
    prompt: dollarsPerMillion(prompt),
    completion: dollarsPerMillion(completion),
    ...Object.fromEntries(own),
    ...(request === undefined ? {} : { per_request: Number(dollarsText(request)) }),
  }
}

function overrideLine({ minPromptTokens, hours, rates }: RateOverride) {
  const hour = (time: number): string => String(time).padStart(4, '0')
  return {
    min_prompt_tokens: minPromptTokens,
    ...(hours === null ? {} : { utc_start: hour(hours.start), utc_end: hour(hours.end) }),
    ...ratesLine(rates),
  }
}

/** Formats pico-dollars as dollars, exactly and without an exponent. */
export function dollarsText(picos: bigint): string {
  const digits = picos.toString().padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '')
}
