import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [['create_session', '5¢ per vCPU-hour', 'template envs']]

export const choices: readonly Choice[] = [
  ['create_session', 'template', 'python typescript javascript', 'python'],
]
