/** From Tavily's API reference for /search and /extract. */
import {
  address,
  answer,
  either,
  items,
  maybe,
  number,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { answeredBy, engineFields } from '../shared/in-house-search.ts'

const closing = {
  response_time: maybe(number('The time that the vendor needed.', 'seconds')),
  usage: maybe(
    record("The vendor's own count of the request. The gateway's charge is in the envelope.", {
      credits: maybe(number("The vendor's credits that the request used.", 'credits')),
    }),
  ),
  request_id: maybe(text("The vendor's id of the request.")),
}

export const returns: Returns = {
  search: answer({
    ...engineFields,
    answered_by: answeredBy,
    query: maybe(text('The query that was searched.')),
    answer: maybe(text('The written answer, if requested.')),
    results: records('The pages, best match first.', {
      title: maybe(text('The title of the page.')),
      url: address('The URL of the page.'),
      content: maybe(text('The passage of the page that fits the query.')),
      score: maybe(number('The relevance of the page, from 0 to 1.')),
      raw_content: maybe(text('The content of the page, if requested.')),
      published_date: maybe(time('When the page was published. Only for the topic news.')),
      favicon: maybe(address("The site's icon.")),
    }),
    images: maybe(
      items(
        'Images that fit the query, if the vendor adds them.',
        either(
          'A URL, or a URL with its description.',
          address('The URL of the image.'),
          record('An image.', {
            url: address('The URL of the image.'),
            description: maybe(text('A description of the image.')),
          }),
        ),
      ),
    ),
    auto_parameters: maybe(open('Search parameters that the vendor chose itself.')),
    ...closing,
  }),
  extract: answer({
    results: records('The pages that were read.', {
      url: address('The requested URL.'),
      raw_content: maybe(text('The content of the page, as Markdown or text.')),
      images: maybe(words('URLs of images on the page.')),
      favicon: maybe(address("The site's icon.")),
    }),
    failed_results: maybe(
      records('The pages that could not be read.', {
        url: address('The requested URL.'),
        error: maybe(text('Why the page could not be read.')),
      }),
    ),
    ...closing,
  }),
}
