import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['email-search', '4¢ per call', 'firstname lastname domainOrCompany!'],
  ['email-verification', '2¢ per call', 'email!'],
  ['domain-scan', '4¢ per call', 'domainOrCompany!'],
  ['result', '1¢ per call', 'id mode limit'],
]
