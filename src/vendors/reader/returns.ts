import { restReturns } from '../../catalog/vocabulary/text-rest.ts'
import {
  address,
  answer,
  count,
  flag,
  maybe,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  document: answer({
    url: maybe(address('The URL of the document, if it was read from the web.')),
    file_id: maybe(text('The id of the document, if it was read from your files.')),
    kind: oneOf('The format of the document.', ['pdf', 'docx', 'xlsx', 'pptx', 'epub', 'email']),
    bytes: count('The size of the document.', 'bytes'),
    title: maybe(text('The title that the document has of itself.')),
    author: maybe(text('The author that the document names.')),
    created_at: maybe(time('When the document was created, as it states.')),
    modified_at: maybe(time('When the document was last changed, as it states.')),
    language: maybe(text('The language that the document states.')),
    page_unit: maybe(
      oneOf('What a page is in this format.', ['page', 'slide', 'sheet', 'chapter']),
    ),
    page_count: maybe(count('The length of the document.', 'pages')),
    pages_read: maybe(
      count('How much of the document `content` contains, with its `rest`.', 'pages'),
    ),
    content: text('The document as Markdown.'),
    chars: count('The length of `content`.', 'characters'),
    truncated: flag('Whether `content` ends before the document, because of a limit.'),
    omitted: words(
      'Content of the document that `content` leaves out, such as "charts", "comments", "hidden rows" or "columns after GR".',
    ),
    rest: restReturns,
    email: maybe(
      record('The head of an email.', {
        from: maybe(text('The sender.')),
        to: maybe(words('The recipients.')),
        cc: maybe(words('The recipients of copies.')),
        date: maybe(time('When the email was sent.')),
        message_id: maybe(text('The Message-ID of the email.')),
        attachments: maybe(
          records('The attached files. Their content is not read.', {
            filename: maybe(text('The name of the file.')),
            mime: text('The type of the file.'),
            size: count('The size of the file.', 'bytes'),
          }),
        ),
      }),
    ),
  }),
}
