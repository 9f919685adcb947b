import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'produce_demo',
    'the cost of its steps, within a budget of 1¢ to $5.00 that you can set',
    'brief script urls voice aspect_ratio max_seconds budgetCents',
  ],
  [
    'produce_autodemo',
    'the cost of its steps, within a budget of 1¢ to $5.00 that you can set',
    'url! goal max_seconds budgetCents',
  ],
]
