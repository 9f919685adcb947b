import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['repo-create', '$1.00 per call', 'name'],
  ['repo-get', '1¢ per call', 'repo_id!'],
]
