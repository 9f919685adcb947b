/** GoPlus, shared with the records of other vendors. */
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const goPlus: Vendor = {
  label: 'goplus',
  baseUrl: 'https://api.gopluslabs.io/api/v1',
  auth: noAuth,
  limits: { perSecond: 0.5 },
  docsUrl: 'https://docs.gopluslabs.io/',
  readFailure: messageFrom('message'),
}
