import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['scrape', '1¢ per call', 'url!']]
