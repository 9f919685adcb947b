/** The records of `core/onescrape` and `core/onescrape-deep`. */
import { Type, type Static } from 'typebox'
import { deepBudgetField, deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { checkOnescrapeDeep, onescrapeBudget } from './onescrape-deep.ts'
import { normaliseUrls } from './urls.ts'
import { cents } from '../../lib/money.ts'
import { local, localJob, params } from '../../catalog/vocabulary/define.ts'
import {
  choice,
  exactlyOneByCheck,
  flag,
  list,
  optional,
  pageAddress,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import type { Billing } from '../../catalog/vocabulary/tariff.ts'

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

const onescrape = local({
  summary:
    'Read 1 to 5 web pages as clean markdown or HTML, climbing from cheap readers to stronger ones until each page is really read.',
  description:
    'A bot check or an empty page does not count as read. Every row names its reader and the calls made for it. Social platforms and PDF or Office documents are refused, free of charge.',
  keywords: [
    'read page',
    'scrape',
    'fetch url',
    'web page to markdown',
    'several pages',
    'page reading',
    'article text',
    'unblock',
  ],
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
  check: ({ urls }, checkAddress) => void normaliseUrls(urls, checkAddress),
  handler: 'core.onescrape',
  uses: ['semantic/contents', 'render2/scrape', 'render/scrape', 'cheapunblock/scrape'],
})

const MOST_PAGES = 50
const globs = (description: string) =>
  optional(
    list(
      `${description} "*" stands for anything; a pattern without it is a part of the address.`,
      Type.String({ minLength: 1, maxLength: 500 }),
      50,
    ),
  )

const siteInput = params(
  {
    url: pageAddress('Where the site is entered. It is always the first page that is read.'),
    max_pages: whole('Maximum number of pages to read, 1 to 50.', 1, MOST_PAGES, { default: 20 }),
    include: globs('Only pages whose address fits one of these, such as "/blog/*".'),
    exclude: globs('No pages whose address fits one of these, such as "/tag/".'),
  },
  {
    description:
      'The website whose pages are listed and read; only pages of the same host. Instead of "urls".',
  },
)

export const actions = {
  onescrape,
  'onescrape-deep': localJob({
    summary:
      'Read up to 50 pages, or the pages of a website, as clean markdown or HTML, past bot protection where needed. Runs as a job.',
    description: `Each page climbs six rungs: a batch reader without scripts (0.1¢ a page, 1¢ at least), two browsers (1¢), an unblocker (1¢), a stronger one (2¢), a residential proxy (4¢) and a stealth browser (1¢). It costs what the rung that read it costs; blocked rungs are free. Listing a site costs 1¢. Answers with a \`job_id\`; ask core/result until the status is \`succeeded\` or \`failed\`. Rows beyond the budget say "over budget". ${rowsAddUp(', and the cent for listing a site,')} A job that reads no page is free.`,
    keywords: [
      'crawl a website',
      'scrape pages',
      'scrape many pages',
      'read a whole site',
      'unblock',
      'bypass cloudflare',
      'blocked page',
      'site to markdown',
      'deep scrape',
    ],
    input: params(
      {
        urls: optional(
          list(
            'Addresses of 1 to 50 pages; duplicates are read and charged once. Instead of "site".',
            Type.String({ minLength: 1, maxLength: 2_048 }),
            MOST_PAGES,
          ),
        ),
        site: optional(siteInput),
        format: choice('What to return.', ['markdown', 'html'], { default: 'markdown' }),
        main_content: flag('Leaves out navigation, footers and other boilerplate.', {
          default: true,
        }),
        budgetCents: optional(
          deepBudgetField('Left out: 10 a page, and 1 for the list of a site.'),
        ),
      },
      exactlyOneByCheck(['urls'], ['site']),
    ),
    example: { site: { url: 'https://example.com/', max_pages: 10 } },
    price: deepPrice(onescrapeBudget),
    // A page without scripts, by the batch reader.
    leastCharge: cents('1'),
    priceSource: 'Own prices of the rungs, 2026-11.',
    timeoutMs: 900_000,
    untrustedContent: true,
    check: checkOnescrapeDeep,
    handler: 'core.onescrape-deep',
    uses: [
      'semantic/contents',
      'render2/scrape',
      'render/scrape',
      'cheapunblock/scrape',
      'unblock/unblock',
      'proxy/scrape_residential',
      'render/map',
      'render2/map',
    ],
    running: 'deep',
  }),
}
