/** From ScrapingAnt's documentation of /general, /markdown and /extract. */
import {
  address,
  answer,
  maybe,
  openAnswer,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const raw = answer({ raw: text('The HTML of the page, after scripts if a browser was used.') })

export const returns: Returns = {
  scrape: raw,
  markdown: answer({
    url: maybe(address('The URL of the page.')),
    markdown: text('The page as Markdown.'),
  }),
  scrape_residential: raw,
  extract: openAnswer(
    'The properties that `extract_properties` names, in camelCase. A property that the page lacks is empty.',
  ),
}
