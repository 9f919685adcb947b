/** From the Internet Archive's documentation of the CDX server and the availability API. */
import {
  address,
  answer,
  flag,
  maybe,
  oneOf,
  record,
  records,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const moment = (description: string) => text(`${description}, in UTC, as YYYYMMDDhhmmss.`)

export const returns: Returns = {
  snapshots: answer({
    snapshots: records('The captures, oldest first.', {
      urlkey: maybe(text('The URL in the sort order of the index, such as "com,example)/".')),
      timestamp: maybe(moment('When the page was captured')),
      original: maybe(address('The URL that was captured.')),
      mimetype: maybe(text('The type of the content, such as "text/html".')),
      statuscode: maybe(text('The HTTP status as text; "-" if unknown.')),
      digest: maybe(text('The hash of the content. Equal hashes mean an unchanged page.')),
      length: maybe(text('The size of the compressed capture in bytes, as text.')),
    }),
  }),
  available: answer({
    url: maybe(address('The requested URL.')),
    timestamp: maybe(text('The requested time.')),
    archived_snapshots: record('The captures that were found. Empty without one.', {
      closest: maybe(
        record('The capture nearest to the requested time.', {
          available: maybe(flag('Whether the capture can be read.')),
          url: maybe(address('The URL of the capture in the archive.')),
          timestamp: maybe(moment('When the page was captured')),
          status: maybe(text('The HTTP status of the page at that time, as text.')),
        }),
      ),
    }),
  }),
  fetch: answer({
    url: address('The requested URL.'),
    timestamp: maybe(moment('When the page was captured')),
    content_type: text('The type of the content, such as "text/html".'),
    encoding: oneOf('The form of `content`.', ['text', 'base64']),
    content: text('The page in its original bytes.'),
  }),
}
