import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'search',
    '1¢ per call',
    'query! max_results include_answer include_raw_content topic time_range country include_domains exclude_domains',
  ],
  ['extract', '1¢ per call', 'urls! format'],
]

export const limits: readonly Limit[] = [
  ['search', 'max_results', 0, 20, 5],
  ['extract', 'urls', 1, 5],
]

export const choices: readonly Choice[] = [
  ['search', 'topic', 'general news finance', 'general'],
  ['search', 'time_range', 'day week month year'],
  ['extract', 'format', 'markdown text', 'markdown'],
]
