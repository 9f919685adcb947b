import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { defineService, local, params } from '../../catalog/vocabulary/define.ts'
import { optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { MAX_FILE_BYTES } from '../../catalog/vocabulary/file-limits.ts'
import { flat, free } from '../../catalog/vocabulary/tariff.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'

// No control characters: these texts go into headers and into the database.
const ONE_LINE = String.raw`^\P{Cc}*$`
const NO_NUL = String.raw`^[^\u0000]*$`

const filename = (description: string) =>
  text(description, 255, { pattern: String.raw`^[^/\\\p{Cc}]*$` })
const tags = (description: string) =>
  Type.Array(text('A tag.', 40, { pattern: ONE_LINE }), { maxItems: 10, description })
const note = text('A note of up to 500 characters.', 500, { pattern: NO_NUL })
const mime = text(
  'Media type, such as "image/png"; parameters such as a charset are not kept. Told by the name when left out.',
  255,
  { pattern: String.raw`^[A-Za-z0-9][\w.+-]{0,59}/[\w.+-]{1,66}\s*(;\P{Cc}*)?$` },
)
const fileId = text(
  'The file_id (file_…) that files/upload or files/upload_from_url answered, or a row of files/list has.',
  64,
)

const LISTED_PRICE = 'Specification, 2026-11.'

export const service = defineService({
  id: 'files',
  title: 'Files of your account, with links to share',
  category: 'files',
  actions: {
    upload: local({
      summary: 'Make room for a file of up to 100 MB and get a link to upload its bytes to.',
      description:
        'PUT the raw bytes to put_url within an hour. The file is there once all size_bytes have come; half an upload is no file. get_url works from then on.',
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
            'Exact size of the file in bytes, at most 104857600 (100 MB). An account keeps up to 2 GB.',
        }),
        mime: optional(mime),
        tags: optional(tags('Up to 10 tags to find the file by.')),
        note: optional(note),
        sha256: optional(
          Type.String({
            pattern: '^[0-9A-Fa-f]{64}$',
            description: 'SHA-256 of the bytes in hexadecimal. Other bytes are refused then.',
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
            `A file may have at most ${MAX_FILE_BYTES} bytes; this one has ${size}.`,
            { param: 'size_bytes', details: { max_bytes: MAX_FILE_BYTES, size_bytes: size } },
          )
      },
      handler: 'files.upload',
    }),
    upload_from_url: local({
      summary: 'Store what lies at a public address among the files of the account.',
      description:
        'Up to 100 MB. When the address cannot be fetched, or the file does not fit, nothing is charged.',
      keywords: ['save url', 'download to storage', 'import file', 'mirror', 'store from link'],
      input: params({
        url: text('Address of the file, http or https, reachable without signing in.', 2_048),
        filename: optional(
          filename('Name of the file. Told by the server or the address when left out.'),
        ),
        tags: optional(tags('Up to 10 tags to find the file by.')),
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
      summary: 'Get a fresh download link for a file, with all that is known of it.',
      description:
        'The link works for about an hour and needs no key. Downloads can be resumed with Range.',
      keywords: ['download file', 'read file', 'file link', 'presigned link', 'file details'],
      input: params({ file_id: fileId }),
      example: { file_id: 'file_019a0000000070008000000000000000' },
      exampleNeeds: ['file_id'],
      price: free,
      timeoutMs: 5_000,
      handler: 'files.get',
    }),
    list: local({
      summary: 'List the files of the account, newest first, by tags or by part of the name.',
      description: 'Says also how much of the account’s room is taken.',
      keywords: ['find file', 'search files', 'my files', 'storage used', 'quota'],
      input: params({
        tags: optional(tags('Only files that have all of these tags.')),
        query: optional(
          text('Only files with this in their name, in whatever case.', 255, { pattern: NO_NUL }),
        ),
        limit: whole('Files on a page.', 1, 100, { default: 50 }),
        cursor: optional(text('next_cursor of the page before.', 100)),
      }),
      example: { tags: ['reports'] },
      price: free,
      timeoutMs: 5_000,
      handler: 'files.list',
    }),
    delete: local({
      summary: 'Delete a file for good and free its room.',
      description:
        'Deletes an upload slot that was never filled, too. Links to the file stop working at once.',
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
