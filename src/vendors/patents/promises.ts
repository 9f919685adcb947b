import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['patents', '1¢ per call', 'q! date_gte date_lte limit offset'],
  ['assignees', '1¢ per call', 'organization!'],
]

export const limits: readonly Limit[] = [['patents', 'limit', 1, 100, 25]]
