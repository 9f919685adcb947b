import type { Choice, Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'scrape',
    '1¢ per call',
    'url! formats only_main_content wait_for render_js stealth proxy_country provider',
  ],
]

export const limits: readonly Limit[] = [['scrape', 'wait_for', 0, 60000, 0]]

export const choices: readonly Choice[] = [['scrape', 'provider', 'render2 render']]
