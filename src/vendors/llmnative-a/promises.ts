import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['messages', 'what the vendor charges, at most $1.00', 'model! max_tokens! messages!'],
]
