import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', 'what the vendor charges, at most 10¢', 'q ndc'],
  ['get', 'what the vendor charges, at most 2.5¢', 'id!'],
]
