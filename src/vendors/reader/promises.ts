import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['document', '3¢ per call', 'url file_id max_pages max_chars'],
]

export const limits: readonly Limit[] = [
  ['document', 'max_pages', 1, 1_000, 100],
  ['document', 'max_chars', 1_000, 2_000_000, 200_000],
]
