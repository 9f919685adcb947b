import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'search',
    '1¢ per call',
    'query! type numResults contents start_published_date end_published_date include_domains exclude_domains category',
  ],
  [
    'contents',
    '0.1¢ per page and content field, at least 1¢, rounded up to whole cents',
    'urls ids text highlights summary',
  ],
]

export const limits: readonly Limit[] = [['search', 'numResults', 1, 100, 10]]

export const choices: readonly Choice[] = [
  ['search', 'type', 'auto neural keyword deep-lite deep deep-reasoning', 'auto'],
  ['search', 'category', 'news research github people company'],
]
