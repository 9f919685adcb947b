import type { UpstreamFailure } from '../sent.ts'
import type { PermitRefusal } from './permit.ts'

const REASONS: Readonly<Record<PermitRefusal['reason'], string>> = {
  limit: 'is at its limit',
  day: 'has reached its daily limit',
  failing: 'has failed several times in a row and is paused for a moment',
}

/** The failure of a call without a permit: 503, not charged. */
export function failureOfPermit(
  service: string,
  { reason, waitMs }: PermitRefusal,
): UpstreamFailure {
  return {
    code: 'upstream_busy',
    message: `The service behind "${service}" ${REASONS[reason]}. Nothing was charged.`,
    details: { upstream: { service, status: null, code: null, message: null } },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  }
}
