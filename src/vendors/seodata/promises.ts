import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['query', '1¢ to 3¢ per call, by endpoint', '']]
