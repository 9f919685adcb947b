import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['news', '1¢ per call', 'query! timespan startdatetime enddatetime maxrecords'],
  ['timeline', '1¢ per call', 'query! timespan startdatetime enddatetime mode'],
]

export const limits: readonly Limit[] = [['news', 'maxrecords', 1, 250, 75]]

export const choices: readonly Choice[] = [
  ['timeline', 'mode', 'timelinevol timelinetone', 'timelinevol'],
]
