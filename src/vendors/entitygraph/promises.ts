import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', '1¢ per call', 'q! lang'],
  ['entity', '1¢ per call', 'id!'],
  ['sparql', '1¢ per call', 'query!'],
]
