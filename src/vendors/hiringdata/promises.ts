import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['jobs', '40¢ per call', 'limit! job_title_or job_country_code_or posted_at_max_age_days'],
  ['companies', '60¢ per call', 'limit'],
  ['technographics', '25¢ per call', ''],
  ['buying-intents', '25¢ per call', ''],
]

export const limits: readonly Limit[] = [
  ['jobs', 'limit', 1, 10],
  ['companies', 'limit', 1, 5, 5],
]
