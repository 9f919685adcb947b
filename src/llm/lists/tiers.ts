/**
 * The models of each tier, the preferred one first. Operators replace them with ROUTER_CONFIG.
 * Chosen by the list prices of September to November 2026: openrouter.ai/api/v1/models and the
 * vendors' own pages.
 */
export const DEFAULT_TIERS: Tiers = new Map([
  [
    'core/cheap',
    ['openai/gpt-6-luna', 'anthropic/claude-haiku-5.5', 'deepseek/deepseek-v4.1-flash'],
  ],
  ['core/mid', ['openai/gpt-6.1-terra', 'google/gemini-3.8-flash', 'anthropic/claude-sonnet-5.5']],
  [
    'core/best',
    ['anthropic/claude-opus-5.5', 'openai/gpt-6.1-sol', 'google/gemini-3.1-pro-preview'],
  ],
])

export type Tiers = ReadonlyMap<string, readonly string[]>
