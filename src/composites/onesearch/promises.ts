import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'onesearch',
    '5¢ per call',
    'query! limit freshness include_domains exclude_domains country topic',
  ],
  [
    'onesearch-deep',
    'the cost of its steps, within a budget of 10¢ to $5.00 that you can set',
    'query! questions read_pages budgetCents',
  ],
]

export const limits: readonly Limit[] = [
  ['onesearch', 'limit', 1, 25, 10],
  ['onesearch-deep', 'budgetCents', 10, 500, 50],
]
