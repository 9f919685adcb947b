import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'person-enrich',
    '30¢ to 55¢ per call, depending on the input',
    'email phone social_media_url name company lite_enrich',
  ],
  ['company-funders', '30¢ per call', 'company_name company_domain'],
  ['person-interactions', '30¢ per call', 'social_media_url! type tweet_id'],
  ['result', 'free', 'endpoint! request_id!'],
]
