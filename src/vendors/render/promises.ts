import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['scrape', '1¢ per call', 'url! formats onlyMainContent waitFor'],
  ['crawl', '1¢ per call', 'url! limit maxDepth'],
  ['crawl_status', 'free', 'id!'],
  ['extract_status', 'free', 'id!'],
  ['map', '1¢ per call', 'url!'],
  ['search', '1¢ per call', 'query! limit'],
  ['extract', '1¢ per call', 'urls! prompt schema'],
]

export const limits: readonly Limit[] = [['scrape', 'waitFor', 0, 60000, 0]]
