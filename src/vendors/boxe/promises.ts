import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['create_session', '7¢ per CPU-hour plus 4.375¢ per GB-hour', 'template envs'],
]
