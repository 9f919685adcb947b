import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'search',
    '1¢ per call',
    'q! count offset country search_lang freshness result_filter extra_snippets',
  ],
  ['news', '1¢ per call', 'q! count offset country search_lang freshness extra_snippets'],
]

export const limits: readonly Limit[] = [
  ['search', 'count', 1, 20, 20],
  ['news', 'count', 1, 50, 20],
]
