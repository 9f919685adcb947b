import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['solve', '0.3¢ per call', 'task!'],
  ['result', 'free', 'taskId!'],
]
