import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['post', 'what the vendor charges, at most $1.00', 'publication! post!'],
]
