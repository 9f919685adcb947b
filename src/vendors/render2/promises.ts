import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['scrape', '1¢ per call', 'url! stealth country renderJs jsonSchema'],
  ['search', '1¢ per call', 'query! scrapeOptions tbs sources'],
  ['map', '1¢ per call', 'url!'],
  ['crawl', '10¢ per call', 'url! maxPages maxDepth'],
  ['crawl_status', '1¢ per call', 'id!'],
  ['extract', '5¢ per call', 'urls! prompt schema basis'],
  ['extract_status', '1¢ per call', 'id!'],
]

export const limits: readonly Limit[] = [
  ['crawl', 'maxPages', 1, 100, 100],
  ['extract', 'urls', 1, 10],
  ['scrape', 'waitFor', 0, 60000, 0],
]

export const choices: readonly Choice[] = [['search', 'tbs', 'qdr:h qdr:d qdr:w qdr:m qdr:y']]
