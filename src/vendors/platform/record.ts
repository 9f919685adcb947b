import type { ErrorCode } from '../../errors/catalog.ts'
import { defineService } from '../../catalog/vocabulary/define.ts'
import { field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { bearer, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { actorAction } from './actor.ts'
import { linkedinAndX } from './linkedin-and-x.ts'
import { mediaAndPlaces } from './media-and-places.ts'
import { returns } from './returns.ts'

const apify: Vendor = {
  baseUrl: 'https://api.apify.com/v2',
  auth: bearer(),
  docsUrl: 'https://docs.apify.com/api/v2',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const type = textField(error, 'type')
    const message = textField(error, 'message')
    return vendorFailure(reply, {
      code: mapVendorCode(reply.status, type, message),
      vendorCode: type,
      message,
    })
  },
}

/**
 * A used-up month has status 403. A failed run has 400, like wrong input, except that an actor
 * which no longer exists is not the caller's mistake.
 */
function mapVendorCode(status: number, type: string, message: string): ErrorCode | undefined {
  if (/^(rate|concurrent-runs)-limit-exceeded/.test(type)) return 'upstream_busy'
  if (/usage|payment/.test(type) || /usage hard limit/i.test(message)) return 'upstream_payment'
  if (/timeout/.test(type)) return 'upstream_timeout'
  return /^(run-failed|actor-run-failed)/.test(type) || status === 404
    ? 'upstream_error'
    : undefined
}

export const service = defineService({
  id: 'platform',
  title: 'Read social networks, maps and video sites',
  category: 'social and places',
  vendor: apify,
  returns,
  actions: Object.fromEntries(
    Object.entries({ ...linkedinAndX, ...mediaAndPlaces }).map(([name, row]) => [
      name,
      actorAction(row),
    ]),
  ),
})
