import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['result', 'free', 'job_id!'],
  ['cancel', 'free', 'job_id!'],
]
