import {
  address,
  answer,
  count,
  maybe,
  oneOf,
  text,
  words,
  type Returns,
  orNull,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  scrape: answer({
    provider: oneOf('The reader that read the page.', ['render2', 'render']),
    url: address('The requested URL.'),
    final_url: address('The URL after redirects.'),
    status_code: count("The HTTP status of the page's server."),
    title: orNull(text('The title of the page.')),
    markdown: maybe(text('The page as Markdown, if requested.')),
    html: maybe(text('The page as HTML, if requested.')),
    links: maybe(words('The URLs of all links, if requested.')),
    screenshot: maybe(
      address('A PNG of the page, if requested. The link works for an hour; files/get renews it.'),
    ),
  }),
}
