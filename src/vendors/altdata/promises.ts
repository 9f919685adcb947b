import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['company-enrich', '4¢ to 35¢ per section', 'company! sections!'],
  ['news', '2¢ to 3¢ per 10 articles', 'limit'],
  ['employee-reviews', '11¢ to 21¢ per call', 'company!'],
  ['product-reviews', '11¢ to 21¢ per call', 'company! products limit'],
]
