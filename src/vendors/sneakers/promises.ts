import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['product-search', '0.05¢ per call', 'marketplace query!'],
  ['product-detail', '0.05¢ per call', 'marketplace id!'],
  ['sales-history', '0.05¢ per call', 'marketplace id!'],
]
