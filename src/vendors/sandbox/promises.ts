import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['sandbox-create', '3¢ to $2.50 per call, depending on the input', 'image command timeout gpu'],
  ['sandbox-exec', '1¢ per call', 'sandbox_id! command! timeout'],
  ['sandbox-status', '1¢ per call', 'sandbox_id!'],
  ['sandbox-terminate', '1¢ per call', 'sandbox_id!'],
]

export const choices: readonly Choice[] = [['sandbox-create', 'gpu', 'T4 L4 A10G A100 H100']]
