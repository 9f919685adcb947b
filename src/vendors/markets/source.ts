/** Public price sources, shared with the records of other vendors. */
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const binance: Vendor = {
  label: 'binance',
  baseUrl: 'https://data-api.binance.vision/api/v3',
  origins: { futures: 'https://fapi.binance.com' },
  auth: noAuth,
  limits: { perSecond: 10 },
  docsUrl: 'https://developers.binance.com/docs/binance-spot-api-docs',
  // 451: the source does not serve the gateway's country. 418: too many requests despite earlier
  // 429 answers.
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
