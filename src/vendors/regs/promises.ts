import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', 'what the vendor charges, at most 3¢', 'query! agency'],
  ['resolve', 'what the vendor charges, at most 5¢', 'citation!'],
]
