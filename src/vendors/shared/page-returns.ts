/** The shapes of pages and of jobs over pages, in the answers of several vendors. */
import {
  address,
  count,
  either,
  flag,
  maybe,
  number,
  oneOf,
  open,
  record,
  text,
  time,
  words,
} from '../../catalog/vocabulary/returns.ts'

/** The content of one page in the requested formats. */
export const pageContent = {
  markdown: maybe(text('The content as Markdown, if requested.')),
  html: maybe(text('The cleaned HTML, if requested.')),
  rawHtml: maybe(text('The unchanged HTML, if requested.')),
  links: maybe(words('The URLs that the page links to, if requested.')),
  screenshot: maybe(
    address(
      'A link to the screenshot, if requested. It works for about an hour; files/get returns a new one for the file in kept_files.',
    ),
  ),
  json: maybe(open('The data in your JSON Schema, if requested.')),
  summary: maybe(text('A summary of the page, if requested.')),
  fields: maybe(
    record('Facts that the page states about itself. Only of pages that the gateway read.', {
      author: maybe(text('The author.')),
      published: maybe(time('When the page was published.')),
      modified: maybe(time('When the page was last changed.')),
      site_name: maybe(text('The name of the site.')),
      language: maybe(text('The language as a BCP 47 tag, such as "en".')),
      image: maybe(address('The main image.')),
      price: maybe(text('The price as the page writes it, such as "19.99".')),
      currency: maybe(text('The currency of the price as an ISO 4217 code.')),
    }),
  ),
  warning: maybe(text('A problem of the reading that did not stop it.')),
}

const textOrTexts = (description: string) =>
  maybe(either(description, text('A text.'), words('Several texts.')))

export const pageMetadata = {
  title: textOrTexts('The title of the page.'),
  description: textOrTexts('The description that the page has of itself.'),
  language: textOrTexts('The language of the page, such as "en".'),
  sourceURL: maybe(address('The requested URL.')),
  url: maybe(address('The URL after redirects.')),
  statusCode: maybe(count("The HTTP status of the page's server.")),
  contentType: maybe(text('The type of the page, such as "text/html".')),
  error: maybe(text('Why the page was not read.')),
  yield: maybe(
    number('The share of useful content, from 0 to 1, of a page that the gateway read.'),
  ),
  qualityFlags: maybe(words('Problems of the content, such as a wall, that the gateway noticed.')),
}

export const succeeded = flag('Whether the vendor accepted the request.')

/** The answer of an action that launches a job at the vendor. */
export function launched(statusAction: string) {
  return {
    success: succeeded,
    id: text(`The id of the job, for ${statusAction}.`),
    invalidURLs: maybe(words('URLs that the vendor left out, because they are not valid.')),
  }
}

/** The state of a job of many pages. */
export function jobStatus(...others: string[]) {
  return oneOf('The state of the job.', [...others, 'completed', 'failed', 'cancelled'])
}

export const crawlProgress = {
  total: maybe(count('The number of pages that the crawl has found.', 'pages')),
  completed: maybe(count('The number of pages that are read.', 'pages')),
}

export const jobError = maybe(text('Why the job failed.'))

/** The answer of a service that reads one page behind bot protection. */
export const unblockedPage = {
  url: address('The requested URL.'),
  final_url: maybe(address('The URL after redirects, if the vendor reports it.')),
  status_code: maybe(count("The HTTP status of the page's server.")),
  markdown: maybe(text('The page as Markdown. Only for the format markdown.')),
  html: maybe(text('The unchanged HTML. Only for the format html.')),
}
