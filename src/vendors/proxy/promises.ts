import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'scrape',
    '1¢ per call',
    'url! browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source',
  ],
  [
    'markdown',
    '1¢ per call',
    'url! browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source',
  ],
  [
    'scrape_residential',
    '4¢ per call',
    'url! browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source',
  ],
  [
    'extract',
    '20¢ per call',
    'url! browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source extract_properties!',
  ],
]

export const limits: readonly Limit[] = [
  ['scrape', 'timeout', 5, 60, 60],
  ['markdown', 'timeout', 5, 60, 60],
  ['scrape_residential', 'timeout', 5, 60, 60],
  ['extract', 'timeout', 5, 60, 60],
]
