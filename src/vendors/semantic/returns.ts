/** From Exa's API reference for /search and /contents. */
import {
  address,
  answer,
  items,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { engineFields } from '../shared/in-house-search.ts'

const page = {
  id: text('The id of the page at the vendor: usually its URL.'),
  url: address('The URL of the page.'),
  title: maybe(text('The title of the page.')),
  publishedDate: maybe(time('When the page was published, as far as the vendor knows.')),
  author: maybe(text('The author of the page.')),
  image: maybe(address('The main image of the page.')),
  favicon: maybe(address("The site's icon.")),
  text: maybe(text('The text of the page as Markdown, if requested.')),
  highlights: maybe(words('The most relevant passages, if requested.')),
  highlightScores: maybe(
    items('The relevance of each passage, from 0 to 1.', number('The relevance.')),
  ),
  summary: maybe(text('A summary of the page, if requested.')),
}
const cost = maybe(
  record("The vendor's own price of the request. The gateway's charge is in the envelope.", {
    total: maybe(number('The total.', 'USD')),
  }),
)

export const returns: Returns = {
  search: answer({
    ...engineFields,
    results: records('The pages, best match first.', {
      ...page,
      score: maybe(number('The relevance of the page, from 0 to 1.')),
    }),
    requestId: maybe(text("The vendor's id of the request.")),
    resolvedSearchType: maybe(oneOf('The search that "auto" chose.', ['neural', 'keyword'])),
    searchType: maybe(oneOf('The search that was used.', ['neural', 'keyword', 'auto', 'deep'])),
    costDollars: cost,
  }),
  contents: answer({
    results: records('The pages that were read.', page),
    statuses: maybe(
      records('The state of each requested page.', {
        id: text('The requested URL or id.'),
        status: oneOf('Whether the page was read.', ['success', 'error']),
        source: maybe(oneOf('Where the text is from.', ['cached', 'crawled'])),
        error: maybe(
          record('Why the page was not read.', {
            tag: maybe(text('The kind of failure, such as CRAWL_NOT_FOUND.')),
            httpStatusCode: maybe(number("The status of the page's server.")),
          }),
        ),
      }),
    ),
    requestId: maybe(text("The vendor's id of the request.")),
    costDollars: cost,
  }),
}
