import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, pageAddress, text } from '../../catalog/vocabulary/fields.ts'
import { fileFound, found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { asText, field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const internetArchive: Vendor = {
  baseUrl: 'https://web.archive.org',
  origins: { archive: 'https://archive.org' },
  auth: noAuth,
  // More than about sixty requests per minute block the IP address.
  limits: { perSecond: 1, concurrent: 4 },
  docsUrl: 'https://archive.org/help/wayback_api.php',
  // 403: the site opted out of the archive.
  readFailure: (reply) =>
    vendorFailure(reply, { code: reply.status === 403 ? 'upstream_rejected' : undefined }),
}

const moment = (description: string) =>
  optional(
    text(`${description} YYYYMMDDhhmmss, or a prefix of it.`, 14, { pattern: '^[0-9]{1,14}$' }),
  )
const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
}
const Row = Type.Array(Type.Unknown())

export const service = defineService({
  id: 'webarchive',
  title: 'Archived web pages',
  category: 'public records',
  vendor: internetArchive,
  returns,
  actions: {
    snapshots: call({
      ...shared,
      title: 'Archived captures of a page',
      summary: 'List the captures of a page, a folder or a whole domain in the Wayback Machine.',
      keywords: ['wayback machine', 'page history', 'cdx', 'old version'],
      input: params({
        url: text(
          'URL. "example.com/*" includes everything below it, "*.example.com" the whole domain.',
          2_048,
        ),
        from: moment('Time of the first capture.'),
        to: moment('Time of the last capture.'),
        limit: Type.Integer({
          minimum: -1000,
          maximum: 1000,
          default: 50,
          description: 'Maximum number of captures. A negative number returns the last ones.',
        }),
      }),
      example: { url: 'example.com', from: '2025', to: '2026', limit: 5 },
      // The index is slow.
      timeoutMs: 60_000,
      check: ({ limit }) => {
        // The index reads 0 as no limit at all.
        if (limit === 0)
          throw new AppError('invalid_params', '"limit" must not be 0.', {
            param: 'limit',
            fix: 'Send 1 to 1000 for the first captures, or -1000 to -1 for the last ones.',
          })
      },
      request: (input) => get('/cdx/search/cdx', { output: 'json', ...input }),
      reply: Type.Array(Row),
      outcome: ({ body }) => {
        const [names = [], ...rows] = body
        const snapshots = rows.map((row) =>
          Object.fromEntries(names.map((name, index) => [asText(name), row[index] ?? null])),
        )
        return found({ snapshots }, snapshots)
      },
    }),
    available: call({
      ...shared,
      title: 'Nearest archived capture',
      summary: 'Find the capture of a page that is nearest to a given time.',
      keywords: ['wayback machine', 'is archived', 'closest snapshot'],
      input: params({
        url: pageAddress('URL of the page; a bare host works, too.'),
        timestamp: moment('The time; the latest capture if omitted.'),
      }),
      example: { url: 'example.com', timestamp: '20250101' },
      timeoutMs: 30_000,
      request: (input) => ({ ...get('/wayback/available', input), origin: 'archive' }),
      reply: Type.Object({ archived_snapshots: Type.Unknown() }),
      outcome: ({ body }) => found(body, [field(body.archived_snapshots, 'closest')]),
    }),
    fetch: call({
      ...shared,
      title: 'Read an archived page',
      summary: 'Read an archived page as of a given time, in its original bytes.',
      description:
        'Returns the nearest capture; `timestamp` is its time. Binary content is returned as base64.',
      keywords: ['wayback machine', 'deleted page', 'archived copy', 'how a site looked'],
      input: params({
        url: pageAddress(),
        timestamp: moment('The time; the latest capture if omitted.'),
      }),
      example: { url: 'https://example.com/', timestamp: '20250101' },
      timeoutMs: 60_000,
      untrustedContent: true,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      // "2" selects the latest capture, and "id_" the original bytes. The fragment of a URL is for
      // browsers only.
      request: ({ url, timestamp = '2' }) => ({
        ...get(`/web/${timestamp}id_/${new URL(url).href.replace(/#.*$/, '')}`),
        headers: { accept: '*/*' },
        followsRedirects: true,
        binary: true,
      }),
      reply: Type.Unknown(),
      outcome: (reply, { url, timestamp = null }) =>
        fileFound(reply, {
          url,
          timestamp: /\/web\/([0-9]{14})id_\//.exec(reply.path ?? '')?.[1] ?? timestamp,
        }),
    }),
  },
})
