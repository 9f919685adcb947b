import type { UpstreamFailure } from '../send.ts'
import type { TurnRefusal } from './turn.ts'

const HELD_BACK: Readonly<Record<TurnRefusal['reason'], string>> = {
  limit: 'is at its limit',
  day: 'has answered as often as it does in a day',
  failing: 'has failed several times in a row and is left alone for a moment',
}

/** What the caller is told; 503, uncharged. */
export function heldBack(service: string, { reason, waitMs }: TurnRefusal): UpstreamFailure {
  return {
    code: 'upstream_busy',
    message: `The service behind "${service}" ${HELD_BACK[reason]}. Nothing was charged.`,
    details: { upstream: { service, status: null, code: null, message: null } },
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  }
}
