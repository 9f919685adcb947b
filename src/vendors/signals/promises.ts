import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['funding', '25¢ per call', 'limit'],
  ['acquisitions', '25¢ per call', 'limit'],
  ['job-changes', '25¢ per call', 'limit'],
  ['hiring', '25¢ per call', 'limit'],
  ['investors', '25¢ per call', 'limit'],
]

export const limits: readonly Limit[] = [
  ['funding', 'limit', 1, 100, 20],
  ['acquisitions', 'limit', 1, 100, 20],
  ['job-changes', 'limit', 1, 100, 20],
  ['hiring', 'limit', 1, 100, 20],
  ['investors', 'limit', 1, 100, 20],
]
