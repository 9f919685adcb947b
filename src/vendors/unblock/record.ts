import { Type, type Static } from '../../lib/schema.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { bearer, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { choice, countryCode, optional, pageAddress } from '../../catalog/vocabulary/fields.ts'
import { contentMiss, pageText } from '../../catalog/answers/page-reply.ts'
import { textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress } from '../../catalog/validate/web-address.ts'
import { returns } from './returns.ts'

const brightData: Vendor = {
  baseUrl: 'https://api.brightdata.com',
  auth: bearer(),
  // The zone belongs to the operator's account and decides its bill, so callers cannot choose it.
  accountFields: { zone: { setting: 'ZONE', fallback: 'web_unlocker1' } },
  docsUrl: 'https://docs.brightdata.com/api-reference/unlocker/rest-api',
  readFailure: (reply) => {
    const message = typeof reply.body === 'string' ? reply.body : textField(reply.body, 'error')
    return vendorFailure(reply, { code: mapAccountFault(message), message })
  },
}

/** The vendor describes a problem of the account in plain words, with varying statuses. */
function mapAccountFault(message: string): ErrorCode | undefined {
  if (/zone .*(not found|disabled)/i.test(message)) return 'upstream_not_configured'
  return /balance|billing|suspend|payment/i.test(message) ? 'upstream_payment' : undefined
}

const unblockInput = params({
  url: pageAddress(),
  country: optional(countryCode('Country to read from, as a two-letter code such as "us".')),
  format: choice('Output format; html is the unchanged page.', ['markdown', 'html'], {
    default: 'markdown',
  }),
})

const unblockReply = Type.Object({
  status_code: Type.Integer(),
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  body: Type.Optional(Type.Unknown()),
})

/**
 * The vendor returns 200 even if no attempt succeeded. Its verdict is one of the page's headers.
 */
function unblockOutcome(
  { body: { status_code: statusCode, headers, body } }: Reply<Static<typeof unblockReply>>,
  { url, format }: Static<typeof unblockInput>,
): Outcome {
  const verdict = ['x-brd-error', 'x-brd-error-code', 'x-brd-err-code'].find(
    (name) => headers?.[name] !== undefined,
  )
  if (verdict !== undefined)
    return failed(
      'no_results',
      `The page could not be unblocked: ${textField(headers, verdict).slice(0, 300)}`,
      { page_status: statusCode, blocked: true },
    )
  const content = pageText(body)
  return (
    contentMiss(content, format, statusCode) ??
    done({ url, final_url: null, status_code: statusCode, [format]: content })
  )
}

export const service = defineService({
  id: 'unblock',
  title: 'Read pages behind bot protection',
  category: 'scraping',
  vendor: brightData,
  returns,
  actions: {
    unblock: call({
      title: 'Read a page behind bot protection',
      summary: 'Read one page behind Cloudflare, DataDome, PerimeterX or a geographic restriction.',
      description:
        'The strongest reader below a residential browser. Charged only for the page itself: a bot wall, an error page or an empty page is free.',
      keywords: [
        'bypass cloudflare',
        'datadome',
        'perimeterx',
        'captcha wall',
        'anti-bot',
        'blocked page',
        'geo block',
      ],
      input: unblockInput,
      example: { url: 'https://example.com/', format: 'markdown' },
      price: flat(cents('2')),
      priceSource: 'Vendor list price $1.50 per 1000 delivered pages, 2026-09.',
      timeoutMs: 120_000,
      untrustedContent: true,
      check: ({ url }, checkAddress) => requireWebAddress(url, 'url', checkAddress),
      // Format json adds the verdict and the page's status to the body.
      request: ({ url, country, format }) =>
        post('/request', {
          url,
          format: 'json',
          method: 'GET',
          country: country?.toLowerCase(),
          data_format: format === 'markdown' ? 'markdown' : undefined,
        }),
      reply: unblockReply,
      outcome: unblockOutcome,
      inHouse: 'unblock.unblock',
      inHousePart: 'readers',
      isInHouseForCallsOnly: true,
    }),
  },
})
