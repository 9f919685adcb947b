import { restField } from '../../catalog/vocabulary/text-rest.ts'
import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { defineService, local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { returns } from './returns.ts'

const documentInput = params(
  {
    url: optional(
      text('URL of the document (http or https), accessible without signing in.', 2_048),
    ),
    file_id: optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The file_id (file_…) of a document that files/upload, files/upload_from_url or a row of files/list returned.',
      }),
    ),
    max_pages: whole(
      'Maximum number of pages, slides, sheets or chapters to read, 1 to 1000.',
      1,
      1_000,
      { default: 100 },
    ),
    max_chars: whole(
      'Maximum length of the content in characters, 1000 to 2000000. `rest` then has a file with the whole text.',
      1_000,
      2_000_000,
      { default: 200_000 },
    ),
  },
  { anyOf: [{ required: ['url'] }, { required: ['file_id'] }] },
)
type DocumentInput = Static<typeof documentInput>

function checkDocument({ url, file_id: fileId }: DocumentInput, checkAddress: AddressCheck): void {
  if (url !== undefined && fileId !== undefined)
    throw new AppError('invalid_params', 'Send either "url" or "file_id", not both.', {
      param: 'file_id',
      fix: 'Remove "file_id" to read the URL, or remove "url" to read the stored file.',
    })
  if (url !== undefined) requireWebAddress(url, 'url', checkAddress, 'gateway')
}

export const service = defineService({
  id: 'reader',
  title: 'Read documents',
  category: 'scraping',
  returns,
  actions: {
    document: local({
      title: 'Read a document as Markdown',
      summary: 'Read a PDF, Office, EPUB or email file as Markdown with headings and tables.',
      description:
        'Reads pdf, docx, xlsx, pptx, epub and eml files of up to 32 MiB, from a URL or from your stored files. Returns the content with title, author and page count. Encrypted documents, scans without text and damaged files are not charged.',
      keywords: [
        'pdf to markdown',
        'pdf to text',
        'read pdf',
        'word document',
        'excel to table',
        'powerpoint slides',
        'spreadsheet',
        'ebook',
        'eml',
        'parse document',
        'extract tables from pdf',
      ],
      input: documentInput,
      example: { url: 'https://www.rfc-editor.org/rfc/rfc9110.pdf', max_pages: 20 },
      price: flat(cents('3')),
      priceSource: 'In-house: CPU time of a separate process, 2026-11.',
      timeoutMs: 120_000,
      untrustedContent: true,
      check: checkDocument,
      handler: 'reader.document',
      fileFields: [restField('rest')],
    }),
  },
})
