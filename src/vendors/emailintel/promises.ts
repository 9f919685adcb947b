import type { Choice, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['email-verifier', '2¢ per call', 'email!'],
  ['email-finder', '4¢ per call', 'domain company full_name!'],
  ['linkedin-finder', '5¢ per call', 'url! full'],
  ['domain-search', '4¢ per call', 'department country page limit'],
  ['author-finder', '4¢ per call', 'url!'],
  ['enrich', '4¢ per call', 'email!'],
  ['phone-finder', '10¢ per call', 'email domain linkedin'],
]

export const choices: readonly Choice[] = [
  [
    'domain-search',
    'department',
    'engineering sales finance hr it marketing operations management',
  ],
]
