import type { Hop } from '../vocabulary/handlers.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'

type Named = { readonly service: { readonly id: string }; readonly name: string }
type Made = { readonly ok: boolean; readonly charge: Micros; readonly latencyMs: number }

/** The line of one call in a receipt. */
export function toHop({ service, name }: Named, { ok, charge, latencyMs }: Made): Hop {
  return {
    provider: service.id,
    action: name,
    ok,
    charged_cents: toCentsRoundedUp(charge),
    charged_micros: Number(charge),
    latency_ms: latencyMs,
  }
}

/** The same line without a charge. */
export function withoutCharge(hop: Hop): Hop {
  return withCharge(hop, 0n)
}

/** The same line with another charge. */
export function withCharge(hop: Hop, charge: Micros): Hop {
  return { ...hop, charged_cents: toCentsRoundedUp(charge), charged_micros: Number(charge) }
}
