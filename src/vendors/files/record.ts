import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { defineService, local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { MAX_FILE_BYTES } from '../../catalog/vocabulary/file-limits.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { returns } from './returns.ts'

// No control characters, because these texts go into headers and into the database.
const ONE_LINE = String.raw`^\P{Cc}*$`
const NO_NUL = String.raw`^[^\u0000]*$`

const filename = (description: string) =>
  text(description, 255, { pattern: String.raw`^[^/\\\p{Cc}]*$` })
const tags = (description: string) =>
  Type.Array(text('A tag.', 40, { pattern: ONE_LINE }), { maxItems: 10, description })
const note = text('A note of up to 500 characters.', 500, { pattern: NO_NUL })
const mime = text(
  'Media type, such as "image/png". Parameters such as a charset are dropped. Derived from the name if omitted.',
  255,
  { pattern: String.raw`^[A-Za-z0-9][\w.+-]{0,59}/[\w.+-]{1,66}\s*(;\P{Cc}*)?$` },
)
const fileId = text(
  'The file_id (file_…) that files/upload, files/upload_from_url or a row of files/list returned.',
  64,
)

const LISTED_PRICE = 'Specification, 2026-11.'

export const service = defineService({
  id: 'files',
  title: "Your account's files with shareable links",
  category: 'files',
  returns,
  actions: {
    upload: local({
      title: 'Upload a file',
      summary: 'Create an upload link for a file of up to 100 MiB.',
      description:
        'PUT the raw bytes to put_url within an hour. The file exists once all size_bytes have arrived; an incomplete upload creates no file. get_url works from then on.',
      keywords: [
        'store file',
        'save file',
        'upload slot',
        'put bytes',
        'share file',
        'attachment',
        'storage',
      ],
      input: params({
        filename: filename('Name of the file, without a path.'),
        size_bytes: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'Exact size of the file in bytes, at most 104857600 (100 MiB). An account can store up to 2 GiB.',
        }),
        mime: optional(mime),
        tags: optional(tags('Up to 10 tags that identify the file in files/list.')),
        note: optional(note),
        sha256: optional(
          Type.String({
            pattern: '^[0-9A-Fa-f]{64}$',
            description: 'SHA-256 of the bytes in hexadecimal. Other bytes are then rejected.',
          }),
        ),
      }),
      example: {
        filename: 'report.pdf',
        size_bytes: 48_213,
        mime: 'application/pdf',
        tags: ['reports'],
      },
      price: flat(cents('1')),
      priceSource: LISTED_PRICE,
      timeoutMs: 10_000,
      check: ({ size_bytes: size }) => {
        if (size > MAX_FILE_BYTES)
          throw new AppError(
            'file_too_large',
            `A file may have at most ${MAX_FILE_BYTES} bytes, but this one has ${size}.`,
            { param: 'size_bytes', details: { max_bytes: MAX_FILE_BYTES, size_bytes: size } },
          )
      },
      handler: 'files.upload',
    }),
    upload_from_url: local({
      title: 'Store a file from a URL',
      summary: "Store a file from a public URL among the account's files.",
      description:
        'Up to 100 MiB. If the URL cannot be fetched or the file does not fit, nothing is charged.',
      keywords: ['save url', 'download to storage', 'import file', 'mirror', 'store from link'],
      input: params({
        url: text('URL of the file (http or https), accessible without signing in.', 2_048),
        filename: optional(
          filename("Name of the file. Derived from the server's answer or the URL if omitted."),
        ),
        tags: optional(tags('Up to 10 tags that identify the file in files/list.')),
        note: optional(note),
      }),
      example: { url: 'https://www.rfc-editor.org/rfc/rfc9110.pdf', tags: ['reports'] },
      price: flat(cents('1')),
      priceSource: LISTED_PRICE,
      timeoutMs: 120_000,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress, 'gateway'),
      handler: 'files.upload_from_url',
    }),
    get: local({
      title: 'Download link for a file',
      summary: "Get a new download link for a file, with the file's metadata.",
      description:
        'The link works for about an hour without a key. Downloads can be resumed with Range.',
      keywords: ['download file', 'read file', 'file link', 'presigned link', 'file details'],
      input: params({ file_id: fileId }),
      example: { file_id: 'file_019a0000000070008000000000000000' },
      exampleNeeds: ['file_id'],
      price: free,
      timeoutMs: 5_000,
      handler: 'files.get',
    }),
    list: local({
      title: 'List files',
      summary: 'List the files of the account, newest first, filtered by tags or part of the name.',
      description: 'Also returns the storage that the account uses.',
      keywords: ['find file', 'search files', 'my files', 'storage used', 'quota'],
      input: params({
        tags: optional(tags('Only files with all of these tags.')),
        query: optional(
          text('Only files whose name contains this text, ignoring case.', 255, {
            pattern: NO_NUL,
          }),
        ),
        limit: whole('Files per page.', 1, 100, { default: 50 }),
        cursor: optional(text('next_cursor of the previous page.', 100)),
      }),
      example: { tags: ['reports'] },
      price: free,
      timeoutMs: 5_000,
      handler: 'files.list',
    }),
    delete: local({
      title: 'Delete a file',
      summary: 'Delete a file permanently and free its storage.',
      description:
        'Also deletes an unused upload link. Links to the file stop working immediately.',
      keywords: ['remove file', 'erase', 'free storage', 'free quota'],
      input: params({ file_id: fileId }),
      example: { file_id: 'file_019a0000000070008000000000000000' },
      exampleNeeds: ['file_id'],
      price: free,
      timeoutMs: 5_000,
      handler: 'files.delete',
    }),
  },
})
