import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['chat', 'what the vendor charges, at most $1.00', 'model! messages!'],
  ['embeddings', 'what the vendor charges, at most $1.00', 'model! input!'],
  ['image-generate', 'what the vendor charges, at most $1.00', ''],
]
