import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['agent', '2¢ to 5¢ per call, by endpoint', '']]
