import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['onefind', '2¢ per call', 'query! limit'],
  [
    'onefind-deep',
    'the cost of its steps, within a budget of 10¢ to $5.00 that you can set',
    'query rows limit budgetCents',
  ],
]

export const limits: readonly Limit[] = [
  ['onefind', 'limit', 1, 25, 15],
  ['onefind-deep', 'limit', 1, 25, 15],
  ['onefind-deep', 'rows', 1, 50],
  ['onefind-deep', 'budgetCents', 10, 500],
]
