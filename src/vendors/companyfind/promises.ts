import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'lookalikes',
    '1¢ per company',
    'seed_domains query limit min_employees max_employees funding_stages locations',
  ],
  ['lookalikes-bulk', '1¢ per company', 'limit'],
  ['tam-build', '1¢ per company', 'query!'],
  ['tech-companies', '40¢ per call', 'variations include_evidence page'],
  ['tech-intent', '20¢ per qualified company', 'activity! limit'],
  ['deep-research', '20¢ per call', 'domain! activity_question qualifier_question'],
  ['lookup-companies', 'free', 'companies!'],
  ['options', 'free', ''],
  ['results', 'free', 'kind! cursor'],
  ['job-control', 'free', 'action!'],
  ['balance', 'free', ''],
]

export const limits: readonly Limit[] = [
  ['lookalikes', 'limit', 1, 100, 10],
  ['lookalikes', 'seed_domains', 1, 10],
  ['lookalikes-bulk', 'limit', 1, 2000, 100],
  ['tech-intent', 'limit', 1, 25, 10],
  ['lookup-companies', 'companies', 1, 100],
]
