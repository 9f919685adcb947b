import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['discover', 'free', 'query!']]
