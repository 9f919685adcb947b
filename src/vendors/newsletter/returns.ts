/** From DripStack's documentation. */
import {
  address,
  answer,
  either,
  maybe,
  number,
  record,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  post: answer({
    id: maybe(text("The vendor's id of the post.")),
    publicationSlug: maybe(text('The newsletter, as its host.')),
    slug: maybe(text('The name of the post in its URL.')),
    title: maybe(text('The title.')),
    subtitle: maybe(text('The line under the title.')),
    url: maybe(address('The URL of the post.')),
    author: maybe(text('The author.')),
    publishedAt: maybe(time('When the post was published.')),
    synthesizedSummary: maybe(text('The content of the post as Markdown, written by the vendor.')),
    contentHtml: maybe(text('The post as HTML, from an older version of the vendor.')),
    paymentInfo: maybe(
      record("The vendor's own price. The gateway's charge is in the envelope.", {
        amountUsd: maybe(
          either('The price.', number('The price.', 'USD'), text('The price in USD.')),
        ),
        protocol: maybe(text('The way of payment, such as "mpp" or "credits".')),
      }),
    ),
  }),
}
