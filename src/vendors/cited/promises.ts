import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'search',
    '1¢ per call',
    'q! outputType structuredOutputSchema fromDate toDate includeDomains excludeDomains includeImages includeInlineCitations',
  ],
  [
    'deep-search',
    '5¢ per call',
    'q! outputType structuredOutputSchema fromDate toDate includeDomains excludeDomains includeImages includeInlineCitations',
  ],
]

export const choices: readonly Choice[] = [
  ['search', 'outputType', 'sourcedAnswer searchResults structured', 'sourcedAnswer'],
]
