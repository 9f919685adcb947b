import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['search', '1¢ per call', ''],
  ['extract', '1¢ per page', 'urls! objective'],
  ['task', '10¢ to 30¢ per call, depending on the input', 'input! processor'],
  ['task-status', 'free', 'run_id!'],
]

export const choices: readonly Choice[] = [['task', 'processor', 'pro ultra', 'pro']]
