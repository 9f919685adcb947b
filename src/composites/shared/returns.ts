/** Parts that the answers of several multi-source actions share. */
import {
  count,
  flag,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
} from '../../catalog/vocabulary/returns.ts'

const SKIPS = ['not_configured', 'over_budget', 'cancelled', 'deadline']

export const chargedCents = (what: string) => count(`${what}, rounded up to whole cents.`, 'cents')
export const chargedMicros = (what: string) =>
  count(`${what}, exactly: 10 000 micro-dollars are a cent.`, 'micro-dollars')

const latency = count('How long the call took.', 'milliseconds')
const wasSuccessful = flag('Whether the call returned what it was made for.')
const skippedReason = (more: readonly string[]) =>
  maybe(oneOf('Why the call was not made. Absent for calls that were made.', [...SKIPS, ...more]))
const stealth = maybe(flag('true for the browser that sites detect less often.'))

/** The calls of a row, in order. `skips` are further reasons to skip one. */
export function hops(description: string, skips: readonly string[] = []) {
  return records(description, {
    provider: text('The service that was called.'),
    action: text('The action of that service.'),
    ok: wasSuccessful,
    charged_cents: chargedCents("The call's part of the charge"),
    charged_micros: chargedMicros("The call's part of the charge"),
    latency_ms: latency,
    stealth,
    skipped: skippedReason(skips),
    receipt: maybe(
      record('The payment, if the gateway paid a merchant for the call.', {
        merchant: text('The merchant that was paid.'),
        method: text('The payment method, such as tempo or x402.'),
        reference: text("The payment's id on its network."),
        challenge_id: text("The merchant's id of the payment request."),
        amount_micros: number('The amount that the merchant received.', 'micro-dollars'),
      }),
    ),
  })
}

/** The calls of the whole answer. */
export function calls(skips: readonly string[] = [], more: Parameters<typeof records>[1] = {}) {
  return records('All calls to other services that this answer is based on.', {
    service: text('The service that was called.'),
    action: text('The action of that service.'),
    ok: wasSuccessful,
    latency_ms: latency,
    stealth,
    skipped: skippedReason(skips),
    ...more,
  })
}

export const next = text('A suggestion for the next step, in words.')

/** The money of a job with a budget. */
export const spending = {
  spent_cents: chargedCents('The charge of the job'),
  spent_micros: chargedMicros('The charge of the job'),
  budget_cents: count('The most that the job could spend.', 'cents'),
}
