import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['chat', 'what the vendor charges, at most $1.00', 'model! messages!'],
]

export const limits: readonly Limit[] = [['chat', 'max_tokens', 1, 16384, 4096]]
