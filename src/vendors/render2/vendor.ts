import { bearer, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'

export const crw: Vendor = {
  baseUrl: 'https://api.fastcrw.com',
  auth: bearer(),
  docsUrl: 'https://github.com/us/crw',
  readFailure: (reply) => {
    // The vendor returns 429 for three reasons. This header marks the one that waiting does not
    // solve.
    const outOfCredits =
      reply.status === 429 && reply.headers['x-fastcrw-credits-available'] !== undefined
    const vendorCode = field(reply.body, 'error_code') ?? field(reply.body, 'errorCode')
    return vendorFailure(reply, {
      code: outOfCredits ? 'upstream_payment' : undefined,
      vendorCode,
      message: field(reply.body, 'error'),
    })
  },
}
