/** From Firecrawl's API reference, version 2. */
import {
  address,
  answer,
  anything,
  count,
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

const page = {
  ...pageContent,
  images: maybe(words('The URLs of images on the page, if requested.')),
  metadata: maybe(record('Facts about the page and its reading.', pageMetadata)),
}
const expiry = maybe(time('When the vendor deletes the job.'))

export const returns: Returns = {
  scrape: answer({
    success: succeeded,
    data: record('The page.', page),
    warning: maybe(text('A problem of the reading that did not stop it.')),
  }),
  map: answer({
    success: succeeded,
    links: maybe(
      records('The URLs of the site.', {
        url: address('The URL.'),
        title: maybe(text('The title of the page, if known.')),
        description: maybe(text('The description of the page, if known.')),
      }),
    ),
    warning: maybe(text('A limit that shortened the list.')),
  }),
  search: answer({
    ...engineFields,
    success: succeeded,
    data: maybe(
      record('The results by source.', {
        web: maybe(
          records('The pages, best match first.', {
            ...page,
            url: address('The URL of the page.'),
            title: maybe(text('The title of the page.')),
            description: maybe(text('The passage that fits the query.')),
            category: maybe(oneOf('The kind of site.', ['github', 'research', 'pdf'])),
            position: maybe(count('The place in the list, from 1.')),
          }),
        ),
        news: maybe(
          records('News articles.', {
            ...page,
            title: maybe(text('The title of the article.')),
            url: address('The URL of the article.'),
            snippet: maybe(text('The passage that fits the query.')),
            date: maybe(text('The date or the age of the article, in words.')),
            imageUrl: maybe(address('The image of the article.')),
            position: maybe(count('The place in the list, from 1.')),
          }),
        ),
        images: maybe(
          records('Images.', {
            title: maybe(text('The title of the image.')),
            imageUrl: maybe(address('The image.')),
            imageWidth: maybe(count('The width of the image.', 'pixels')),
            imageHeight: maybe(count('The height of the image.', 'pixels')),
            url: maybe(address('The page with the image.')),
            position: maybe(count('The place in the list, from 1.')),
          }),
        ),
      }),
    ),
    id: maybe(text("The vendor's id of the search.")),
    creditsUsed: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'credits'),
    ),
    warning: maybe(text('A problem that made the results incomplete.')),
  }),
  crawl: answer(launched('render/crawl_status')),
  crawl_status: answer({
    success: maybe(succeeded),
    status: jobStatus('scraping'),
    ...crawlProgress,
    data: maybe(records('The pages that are read.', page)),
    next_skip: maybe(count('The value of `skip` for the next part. Absent in the last part.')),
    creditsUsed: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'credits'),
    ),
    expiresAt: expiry,
    error: jobError,
  }),
  extract: answer(launched('render/extract_status')),
  extract_status: answer({
    success: maybe(succeeded),
    status: jobStatus('processing'),
    data: maybe(open('The data of all pages, in your JSON Schema if the call had one.')),
    error: jobError,
    warning: maybe(text('A limit that shortened the data.')),
    sources: maybe(anything('The pages behind the data.')),
    tokensUsed: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'tokens'),
    ),
    expiresAt: expiry,
  }),
}
