import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['check', 'what the vendor charges, at most 3¢ to $1.19, by endpoint', ''],
]
