import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['works', '1¢ per call', 'search filter per_page'],
  ['work', '1¢ per call', 'id!'],
  ['authors', '1¢ per call', 'search filter per_page'],
]

export const limits: readonly Limit[] = [
  ['works', 'per_page', 1, 50, 25],
  ['authors', 'per_page', 1, 50, 25],
]
