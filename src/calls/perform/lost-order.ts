/** Orders whose answer was lost. The vendor may have accepted them, so a caller must not repeat them. */
import type { Entry } from '../../catalog/index.ts'
import { failed, type Failed } from '../../catalog/vocabulary/outcome.ts'
import type { UpstreamFailure } from '../../upstream/sent.ts'

/** Statuses of a proxy or a content network in front of the vendor that lost the vendor's answer. */
const LOST = new Set([502, 504, 520, 522, 524])

/** Whether the failure of a sent request is no rejection by the vendor, so that the vendor may have accepted the request. */
export function isAnswerLost({ code, details }: UpstreamFailure): boolean {
  const { status } = details.upstream
  return (
    (code === 'upstream_error' || code === 'upstream_timeout') &&
    (status === null || (status >= 200 && status < 300) || LOST.has(status))
  )
}

/** The failure of an order that the vendor accepted, or may have accepted. */
export function lostOrder(
  { service }: Pick<Entry, 'service'>,
  details?: UpstreamFailure['details'],
): Failed {
  return failed(
    'order_unknown',
    `The service behind "${service.id}" may have accepted this order, and its answer was lost. The gateway does not send the order again. Nothing was charged.`,
    details,
  )
}
