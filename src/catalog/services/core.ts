import { Type, type Static } from 'typebox'
import { normaliseUrls } from '../../core/onescrape/urls.ts'
import { cents } from '../../lib/money.ts'
import { defineService, local, params } from '../define.ts'
import { free, type Billing } from '../tariff.ts'
import { jobActions } from './core/jobs.ts'
import { choice, flag, list, text } from '../fields.ts'
import { pageActions } from './core/pages.ts'
import { peopleActions } from './core/people.ts'
import { adviceActions } from './core/advice.ts'
import { searchActions } from './core/search.ts'
import { demoActions } from './core/demo.ts'

const onescrapeInput = params({
  urls: list(
    'Addresses of 1 to 5 pages. A bare host such as example.com will do; duplicates are read and charged once.',
    Type.String({ minLength: 1, maxLength: 2_048 }),
    5,
  ),
  format: choice('What to return.', ['markdown', 'html'], { default: 'markdown' }),
  main_content: flag('Leaves out navigation, footers and other boilerplate.', { default: true }),
})
type OnescrapeInput = Static<typeof onescrapeInput>

/** Every page sent is charged once one of them was read; when none was, the call is free. */
const perPageSent: Billing = { chargeWhen: 'result', onMiss: 'free', onPartial: 'full_price' }

export const core = defineService({
  id: 'core',
  title: 'Composite actions',
  category: 'composite',
  actions: {
    onescrape: local({
      summary:
        'Read 1 to 5 web pages as clean markdown or HTML, climbing from cheap readers to stronger ones until each page is really read.',
      description:
        'A bot check or an empty page does not count as read. Every row names its reader and the calls made for it. Social platforms and PDF or Office documents are refused, free of charge.',
      keywords: ['read page', 'scrape', 'fetch url', 'web page to markdown', 'several pages', 'page reading', 'article text', 'unblock'],
      input: onescrapeInput,
      example: { urls: ['https://example.com/'], format: 'markdown' },
      price: {
        kind: 'unit',
        rate: cents('2'),
        unit: 'page',
        atMost: ({ urls }: OnescrapeInput) => normaliseUrls(urls).length,
        counted: { by: 'list' },
      },
      priceSource: 'Own price, 2026-11.',
      billing: perPageSent,
      timeoutMs: 120_000,
      untrustedContent: true,
      check: ({ urls }) => void normaliseUrls(urls),
      handler: 'core.onescrape',
      uses: ['semantic/contents', 'render2/scrape', 'render/scrape', 'cheapunblock/scrape'],
    }),
    discover: local({
      summary: 'Find the action for a task: searches the whole catalog by keyword.',
      description: 'Returns the best matches with their price and the parameters that they require.',
      keywords: ['search catalog', 'find endpoint', 'which action', 'list tools'],
      input: params({ query: text('What you want to do, in a few words.', 500) }),
      example: { query: 'read a web page as markdown' },
      price: free,
      timeoutMs: 5_000,
      handler: 'core.discover',
    }),
    ...jobActions,
    ...pageActions,
    ...peopleActions,
    ...adviceActions,
    ...searchActions,
    ...demoActions,
  },
})
