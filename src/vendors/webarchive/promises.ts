import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['snapshots', '1¢ per call', 'url! from to limit'],
  ['available', '1¢ per call', 'url! timestamp'],
  ['fetch', '1¢ per call', 'url! timestamp'],
]
