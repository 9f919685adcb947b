import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['discover', 'free', 'query! limit']]

export const limits: readonly Limit[] = [['discover', 'limit', 1, 25, 10]]
