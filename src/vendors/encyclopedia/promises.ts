import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', '1¢ per call', 'q! lang'],
  ['page', '1¢ per call', 'title! lang'],
]
