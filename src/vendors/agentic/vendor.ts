import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { keyHeader, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'

export const parallel: Vendor = {
  baseUrl: 'https://api.parallel.ai',
  auth: keyHeader('x-api-key'),
  docsUrl: 'https://docs.parallel.ai/api-reference',
  readFailure: (reply) =>
    vendorFailure(reply, { message: field(field(reply.body, 'error'), 'message') }),
}

/** The vendor's pay-per-call merchant, which supports less than the vendor's API with a key. */
export const parallelMerchant = tempoMerchant('https://parallelmpp.dev')
