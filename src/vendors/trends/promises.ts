import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['fetch', 'what the vendor charges, at most 5¢', '']]
