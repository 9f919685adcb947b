import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['deals', '10¢ per row', ''],
  ['investor-deals', '10¢ per row', ''],
  ['deal-investors', '10¢ per call', ''],
  ['company-search', '1¢ per call', ''],
]
