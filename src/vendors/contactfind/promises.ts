import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['people-search', '1¢ per profile', 'job_title location seniority skills page_size'],
  ['linkedin-contacts', '10¢ to 30¢ per call, depending on the input', 'profile! include_phone'],
  ['person-from-email', '10¢ per call', 'email!'],
  ['email-verify', '2¢ per call', 'email!'],
]

export const limits: readonly Limit[] = [['people-search', 'page_size', 1, 25, 10]]
