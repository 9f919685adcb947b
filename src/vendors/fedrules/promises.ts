import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', '1¢ per call', 'term type agency date_gte date_lte per_page'],
  ['document', '1¢ per call', 'document_number!'],
]
