/** The records of `core/onescrape` and `core/onescrape-deep`. */
import { restField } from '../../catalog/vocabulary/text-rest.ts'
import { Type, type Static } from '../../lib/schema.ts'
import { deepBudgetField, deepPrice, rowsAddUp } from '../shared/deep-budget.ts'
import { checkOnescrape } from './onescrape.ts'
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

const FORMATS = ['markdown', 'html', 'text'] as const
const format = choice(
  'What to return. "text" is the words of the markdown without its signs.',
  [...FORMATS],
  {
    default: 'markdown',
  },
)
/** Options that change the returned content only, never the readers or the charge. */
const contentFields = {
  links: optional(flag('False writes links as plain words. Default: true.')),
  images: optional(flag('False leaves out images. Default: true.')),
  max_chars: optional(
    whole(
      'Cuts the content of each page after this many characters, at the end of a paragraph if possible. `rest` of the row then has a file with the whole content.',
      100,
      1_000_000,
    ),
  ),
  chunk_chars: optional(
    whole(
      'Also returns the content as `chunks` of at most this many characters, each with the headings above it. Not for "html".',
      200,
      20_000,
    ),
  ),
}

const selectors = (description: string) =>
  optional(
    list(
      `${description} The page is then read in a browser.`,
      Type.String({ minLength: 1, maxLength: 300 }),
      20,
    ),
  )

const onescrapeInput = params({
  urls: list(
    'URLs of 1 to 5 pages. A bare host such as example.com is valid. Duplicates are read and charged once.',
    Type.String({ minLength: 1, maxLength: 2_048 }),
    5,
  ),
  format,
  main_content: flag('Leaves out navigation, footers and other boilerplate.', { default: true }),
  ...contentFields,
  include: selectors('CSS selectors of the only elements to return, in the order of the page.'),
  exclude: selectors('CSS selectors of elements to leave out.'),
  comments: optional(flag('False leaves out comment sections. Default: true.')),
})
type OnescrapeInput = Static<typeof onescrapeInput>

/** All pages are charged if at least one was read. Otherwise the call is free. */
const perPageSent: Billing = { chargeWhen: 'result', onMiss: 'free', onPartial: 'full_price' }

const onescrape = local({
  title: 'Read web pages',
  summary:
    'Read 1 to 5 web pages as clean markdown or HTML. Tries cheap readers first, then stronger ones, until each page is read.',
  description:
    'A bot check or an empty page does not count as read. Every row names its reader and the calls made for it; `yield` estimates from 0 to 1 how well the text matches the main content of the page. Social platforms and PDF or Office documents are rejected and not charged.',
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
  check: checkOnescrape,
  handler: 'core.onescrape',
  fileFields: [restField('rows[].rest')],
  uses: ['semantic/contents', 'render2/scrape', 'render/scrape', 'cheapunblock/scrape'],
})

const MOST_PAGES = 50
const globs = (description: string) =>
  optional(
    list(
      `${description} "*" matches any text; a pattern without it matches a part of the URL.`,
      Type.String({ minLength: 1, maxLength: 500 }),
      50,
    ),
  )

const siteInput = params(
  {
    url: pageAddress('The first page of the site to read.'),
    max_pages: whole('Maximum number of pages to read, 1 to 50.', 1, MOST_PAGES, { default: 20 }),
    include: globs('Reads only pages whose URL matches one of these patterns, such as "/blog/*".'),
    exclude: globs('Skips pages whose URL matches one of these patterns, such as "/tag/".'),
  },
  {
    description:
      'A website whose pages are listed and read. Only pages of the same host. Use instead of "urls".',
  },
)

export const actions = {
  onescrape,
  'onescrape-deep': localJob({
    title: 'Read hard pages and websites',
    summary:
      'Read up to 50 pages, or the pages of a website, as clean markdown or HTML, past bot protection if necessary. Runs as a job.',
    description: `Tries several readers for each page: a batch reader without scripts (0.1¢ a page, 1¢ at least), two browsers (1¢ each) and an unblocker (1¢). Then a stronger unblocker (2¢), a residential proxy (4¢) and a stealth browser (1¢). A page costs the price of the reader that read it; blocked readers are free. Listing a site costs 1¢. Returns a \`job_id\`: poll core/result until the status is \`succeeded\` or \`failed\`. Rows beyond the budget have the error "over budget". ${rowsAddUp(' and the cent for listing a site')} A job that reads no page is free.`,
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
            'URLs of 1 to 50 pages. Duplicates are read and charged once. Use instead of "site".',
            Type.String({ minLength: 1, maxLength: 2_048 }),
            MOST_PAGES,
          ),
        ),
        site: optional(siteInput),
        format,
        main_content: flag('Leaves out navigation, footers and other boilerplate.', {
          default: true,
        }),
        ...contentFields,
        budgetCents: optional(deepBudgetField('Default: 10 a page, plus 1 for listing a site.')),
      },
      exactlyOneByCheck(['urls'], ['site']),
    ),
    example: { site: { url: 'https://example.com/', max_pages: 10 } },
    price: deepPrice(onescrapeBudget),
    // One page, read by the batch reader.
    leastCharge: cents('1'),
    priceSource: 'Own prices of the readers, 2026-11.',
    timeoutMs: 900_000,
    untrustedContent: true,
    check: checkOnescrapeDeep,
    handler: 'core.onescrape-deep',
    fileFields: [restField('rows[].rest')],
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
