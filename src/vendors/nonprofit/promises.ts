import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['nonprofit_search', '1¢ per call', 'q state ntee'],
  ['nonprofit', '1¢ per call', 'ein!'],
]
