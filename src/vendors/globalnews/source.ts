/** GDELT, shared with the records of other vendors. */
import { vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'

export const gdelt: Vendor = {
  label: 'globalnews',
  baseUrl: 'https://api.gdeltproject.org/api/v2',
  auth: noAuth,
  limits: { perSecond: 1 / 5 },
  docsUrl: 'https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/',
  readFailure: (reply) => vendorFailure(reply, { message: reply.body }),
}

/** A page or an empty body is not an error message about the query. */
export function isAway(body: unknown): boolean {
  return typeof body === 'string' && /^\s*(<|$)/.test(body)
}
