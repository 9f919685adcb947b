import { restReturns } from '../../catalog/vocabulary/text-rest.ts'
import {
  address,
  answer,
  count,
  flag,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { calls, chargedCents, chargedMicros, hops, next, spending } from '../shared/returns.ts'

const FORMATS = ['markdown', 'html', 'text']
const READERS = [
  'semantic',
  'render2',
  'render',
  'cheapunblock',
  'unblock',
  'proxy',
  'render2-stealth',
]

const pageFields = maybe(
  record('Facts that the page states about itself. null for each fact that it does not state.', {
    author: orNull(text('The authors, separated by commas.')),
    published: orNull(time('When the page was published, in ISO 8601.')),
    modified: orNull(time('When the page was last changed, in ISO 8601.')),
    site_name: orNull(text('The name of the website.')),
    language: orNull(text('The language as a BCP 47 tag, such as "en" or "pt-BR".')),
    image: orNull(address('The main image.')),
    price: orNull(text('The price of a product, as the page writes it: "19.99".')),
    currency: orNull(text('The currency of the price as an ISO 4217 code, such as "EUR".')),
  }),
)

const rows = records('One row for each page, in the order of the request.', {
  id: text('The same as `url`.'),
  url: address('The requested URL in its normal form.'),
  final_url: orNull(address('The URL after redirects, if the reader reports it.')),
  title: orNull(text('The title of the page.')),
  content: orNull(text('The text of the page. null if no reader could read it.')),
  format: oneOf(
    'The form of `content`. "text" if a reader returned only the raw page and it was stripped.',
    FORMATS,
  ),
  chars: count('The length of `content`.', 'characters'),
  provider: orNull(oneOf('The reader that read the page.', READERS)),
  yield: number('How well the content matches the main part of the page, from 0 to 1.'),
  quality_flags: words(
    'Doubts about the last attempt: "blocked" for a bot check, "thin_content" for very little text.',
  ),
  hops: hops('The readers that were tried for this page, in order.'),
  hard: flag('Whether readers that get past bot protection were tried.'),
  charged_cents: chargedCents('The price of the reader that read the page'),
  charged_micros: chargedMicros('The price of the reader that read the page'),
  truncated: maybe(flag('true if the content was cut to `max_chars`.')),
  rest: restReturns,
  chunks: maybe(
    records('The content in parts, if `chunk_chars` is set.', {
      heading: text('The headings above the part, outermost first, joined by " > ".'),
      text: text('The text of the part.'),
    }),
  ),
  fields: pageFields,
  error: maybe(
    oneOf('Why the page was not read. Absent if it was.', [
      'blocked',
      'unreadable',
      'over budget',
      'document',
      'bad_url',
      'no reader is configured',
      'cancelled',
      'deadline',
    ]),
  ),
  reason: maybe(text('The last failure of a reader, in words.')),
})

const totals = {
  url_count: count('The number of pages that were to be read.'),
  row_count: count('The number of rows, after duplicates were removed.'),
  read_count: count('The number of pages that were read.'),
}
const requestedFormat = oneOf('The requested format.', FORMATS)

export const returns = {
  onescrape: answer({
    ...totals,
    format: requestedFormat,
    hard: flag('Always false: only core/onescrape-deep gets past bot protection.'),
    rows,
    calls: calls(),
    next,
  }),
  'onescrape-deep': answer({
    site: maybe(
      record('The website whose pages were read, if `site` was sent.', {
        url: address('The first page.'),
        mapped_pages: count('The number of pages found on the site.'),
      }),
    ),
    ...totals,
    blocked_count: count('The number of pages that showed every reader a bot check.'),
    skipped_count: count('The number of pages that the budget did not cover.'),
    format: requestedFormat,
    hard: flag('Whether any page needed readers that get past bot protection.'),
    rows,
    calls: calls(),
    next,
    ...spending,
  }),
}
