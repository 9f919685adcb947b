import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['fetch', '1¢ to 4¢ per call, by endpoint', '']]
