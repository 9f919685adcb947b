import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'produce_demo',
    'what its steps cost, within a budget of 1¢ to $5.00 that you may set',
    'brief script urls voice aspect_ratio max_seconds budgetCents',
  ],
  [
    'produce_autodemo',
    'what its steps cost, within a budget of 1¢ to $5.00 that you may set',
    'url! goal max_seconds budgetCents',
  ],
]
