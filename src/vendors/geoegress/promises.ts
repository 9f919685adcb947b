import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['scrape', 'what the vendor charges, at most 25¢', 'url! geo_location render'],
]

export const choices: readonly Choice[] = [['scrape', 'render', 'html']]
