/** From MediaWiki's reference of the REST search and of action=query. */
import {
  address,
  answer,
  count,
  maybe,
  number,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  search: answer({
    pages: records('The articles, best match first.', {
      id: count('The page number in that edition.'),
      key: maybe(text('The title as it is in the URL.')),
      title: text('The title, for encyclopedia/page.'),
      excerpt: maybe(text('The passage that fits the words, as HTML with highlights.')),
      matched_title: maybe(text('The redirect that matched, if one did.')),
      description: maybe(text('One line about the subject.')),
      thumbnail: maybe(
        record('A small image.', {
          url: maybe(address('The image.')),
          mimetype: maybe(text('The type of the image.')),
          width: maybe(count('The width.', 'pixels')),
          height: maybe(count('The height.', 'pixels')),
          duration: maybe(number('The length of a video.', 'seconds')),
        }),
      ),
    }),
  }),
  page: answer({
    pageid: count('The page number in that edition.'),
    ns: maybe(count('The namespace. 0 for articles.')),
    title: text('The title after redirects.'),
    extract: maybe(text('The article as plain text.')),
    pagelanguage: maybe(text('The language of the article.')),
    touched: maybe(time('When the vendor last rendered the page.')),
    lastrevid: maybe(count('The id of the latest revision.')),
    length: maybe(count('The size of the source text.', 'bytes')),
    fullurl: maybe(address('The URL of the article.')),
    canonicalurl: maybe(address('The URL of the article without parameters.')),
    pageprops: maybe(
      record('Properties of the page.', {
        wikibase_item: maybe(text('The item for entitygraph/entity, such as "Q42".')),
        page_image_free: maybe(text('The file name of the main image.')),
        'wikibase-shortdesc': maybe(text('One line about the subject.')),
      }),
    ),
  }),
}
