import type { Choice, Limit, Offer } from '../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['discover', 'free', 'query!'],
  ['consult', '1¢ per call', 'intent! conversation_id'],
  ['onefind', '2¢ per call', 'query! limit'],
  [
    'onefind-deep',
    'what its steps cost, within a budget of 10¢ to $5.00 that you may set',
    'query rows limit budgetCents',
  ],
  ['onescrape', '2¢ per page', 'urls! format main_content'],
  [
    'onescrape-deep',
    'what its steps cost, within a budget of 10¢ to $5.00 that you may set',
    'urls site format main_content budgetCents',
  ],
  ['result', 'free', 'job_id!'],
  ['cancel', 'free', 'job_id!'],
  [
    'produce_demo',
    'what its steps cost, within a budget of 1¢ to $5.00 that you may set',
    'brief script urls voice aspect_ratio max_seconds budgetCents',
  ],
  [
    'produce_autodemo',
    'what its steps cost, within a budget of 1¢ to $5.00 that you may set',
    'url! goal max_seconds budgetCents',
  ],
  [
    'onesearch',
    '5¢ per call',
    'query! limit freshness include_domains exclude_domains country topic',
  ],
  [
    'onesearch-deep',
    'what its steps cost, within a budget of 10¢ to $5.00 that you may set',
    'query! questions read_pages budgetCents',
  ],
]

export const limits: readonly Limit[] = [
  ['onefind', 'limit', 1, 25, 15],
  ['onefind-deep', 'limit', 1, 25, 15],
  ['onefind-deep', 'rows', 1, 50],
  ['onefind-deep', 'budgetCents', 10, 500],
  ['onescrape', 'urls', 1, 5],
  ['onescrape-deep', 'urls', 1, 50],
  ['onescrape-deep', 'budgetCents', 10, 500],
  ['onescrape-deep', 'site.max_pages', 1, 50, 20],
  ['onesearch', 'limit', 1, 25, 10],
  ['onesearch-deep', 'budgetCents', 10, 500, 50],
]

export const choices: readonly Choice[] = [['onescrape', 'format', 'markdown html', 'markdown']]
