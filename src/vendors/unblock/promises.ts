import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['unblock', '2¢ per call', 'url!']]
