import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'onescrape',
    '2¢ per page',
    'urls! format main_content links images max_chars chunk_chars include exclude comments',
  ],
  [
    'onescrape-deep',
    'the cost of its steps, within a budget of 10¢ to $5.00 that you can set',
    'urls site format main_content links images max_chars chunk_chars budgetCents',
  ],
]

export const limits: readonly Limit[] = [
  ['onescrape', 'urls', 1, 5],
  ['onescrape', 'max_chars', 100, 1_000_000],
  ['onescrape', 'chunk_chars', 200, 20_000],
  ['onescrape-deep', 'urls', 1, 50],
  ['onescrape-deep', 'budgetCents', 10, 500],
  ['onescrape-deep', 'site.max_pages', 1, 50, 20],
]

export const choices: readonly Choice[] = [
  ['onescrape', 'format', 'markdown html text', 'markdown'],
]
