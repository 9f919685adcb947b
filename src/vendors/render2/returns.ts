/** From the OpenAPI document of fastCRW, version 1. */
import {
  address,
  answer,
  anything,
  count,
  either,
  items,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import {
  crawlProgress,
  jobError,
  jobStatus,
  launched,
  pageContent,
  pageMetadata,
  succeeded,
} from '../shared/page-returns.ts'
import { engineFields } from '../shared/in-house-search.ts'

const modelUse = maybe(open('The tokens that the vendor used to extract the data.'))
const page = {
  ...pageContent,
  plainText: maybe(text('The content as text without markup, if requested.')),
  metadata: maybe(
    record('Facts about the page and its reading.', {
      ...pageMetadata,
      elapsedMs: maybe(number('The time that the reading took.', 'milliseconds')),
    }),
  ),
  creditCost: maybe(
    number("The vendor's own price. The gateway's charge is in the envelope.", 'credits'),
  ),
  warnings: maybe(items('Problems of the reading that did not stop it.', anything('A problem.'))),
  llmUsage: modelUse,
}
const found = {
  url: maybe(address('The URL of the page.')),
  title: maybe(text('The title of the page.')),
  snippet: maybe(text('The passage that fits the query.')),
  description: maybe(text('The same passage, under another name.')),
  position: maybe(count('The place in the list, from 1.')),
  score: maybe(number('The relevance of the page.')),
  markdown: maybe(text('The content as Markdown, if requested.')),
  html: maybe(text('The cleaned HTML, if requested.')),
  rawHtml: maybe(text('The unchanged HTML, if requested.')),
  links: maybe(words('The URLs that the page links to, if requested.')),
  metadata: maybe(record('Facts about the page.', pageMetadata)),
}
const started = maybe(oneOf('The state of the job at its start.', ['processing', 'scraping']))

export const returns: Returns = {
  scrape: answer({
    success: succeeded,
    data: record('The page.', page),
    warning: maybe(text('A problem of the reading that did not stop it.')),
  }),
  map: answer({
    success: succeeded,
    data: maybe(record('The site.', { links: maybe(words('The URLs of the site.')) })),
  }),
  search: answer({
    ...engineFields,
    success: succeeded,
    data: maybe(
      either(
        'The results, best match first. By source if the call named sources.',
        records('The results.', found),
        record('The results by source.', {
          web: maybe(records('Pages.', found)),
          news: maybe(records('News articles.', found)),
          images: maybe(items('Images.', open('An image with its URL and title.'))),
        }),
      ),
    ),
  }),
  crawl: answer({ ...launched('render2/crawl_status'), status: started }),
  crawl_status: answer({
    success: maybe(succeeded),
    id: maybe(text('The id of the job.')),
    status: jobStatus('scraping'),
    ...crawlProgress,
    data: maybe(records('The pages that are read. Pages that failed are absent.', page)),
    error: jobError,
  }),
  extract: answer({ ...launched('render2/extract_status'), status: started }),
  extract_status: answer({
    success: maybe(succeeded),
    id: maybe(text('The id of the job.')),
    status: jobStatus('processing', 'cancelling'),
    results: maybe(
      records('The data of each page, in the order of the URLs.', {
        url: address('The requested URL.'),
        status: oneOf('The state of the page.', ['processing', 'completed', 'failed']),
        data: maybe(open('The data of the page, in your JSON Schema if the call had one.')),
        error: maybe(text('Why the page has no data.')),
        llmUsage: modelUse,
        basis: maybe(
          records('The passage that supports each field, if requested.', {
            basisVersion: maybe(count('The version of this shape.')),
            field: maybe(text('The field of the data.')),
            value: maybe(anything('The value of the field.')),
            status: maybe(
              oneOf('Whether a passage supports the value.', [
                'supported',
                'unverified',
                'unsupported',
                'notFound',
              ]),
            ),
            confidence: maybe(oneOf('How sure the value is.', ['low', 'medium', 'high'])),
            citations: maybe(
              records('The passages.', {
                url: maybe(address('The page with the passage.')),
                excerpt: maybe(text('The passage.')),
                sourceHash: maybe(text('The hash of the text that was read.')),
                sourceTextKind: maybe(text('The form of that text.')),
              }),
            ),
          }),
        ),
        basisWarnings: maybe(anything('Problems of the supporting passages.')),
      }),
    ),
    error: jobError,
    creditsUsed: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'credits'),
    ),
    tokensUsed: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'tokens'),
    ),
    expiresAt: maybe(time('When the vendor deletes the job.')),
  }),
}
