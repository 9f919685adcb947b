/** Public sources of prices that other vendors’ records use too. */
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const binance: Vendor = {
  label: 'binance',
  baseUrl: 'https://data-api.binance.vision/api/v3',
  origins: { futures: 'https://fapi.binance.com' },
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://developers.binance.com/docs/binance-spot-api-docs',
  // 451: it does not serve the country that this gateway stands in. 418: it was asked too often, in spite of its 429.
  readFailure: (reply) =>
    vendorFailure(reply, {
      code:
        reply.status === 451
          ? 'upstream_not_configured'
          : reply.status === 418
            ? 'upstream_busy'
            : undefined,
      message: field(reply.body, 'msg'),
    }),
}

export const alternativeMe: Vendor = {
  label: 'alternativeme',
  baseUrl: 'https://api.alternative.me',
  auth: noAuth,
  limits: { perSecond: 1 },
  docsUrl: 'https://alternative.me/crypto/fear-and-greed-index/',
}
