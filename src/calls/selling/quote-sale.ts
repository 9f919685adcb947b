import type { Entry } from '../../catalog/index.ts'
import { priceOf, worstCase } from '../../catalog/prices/price.ts'
import { isCapped } from '../../catalog/vocabulary/tariff.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import { tooExpensive, applyMaxCost } from '../quote/apply-max-cost.ts'
import { requireLane } from '../lanes/no-lane.ts'
import { readInput } from '../quote/read-input.ts'
import type { Calls } from '../call.ts'
import { isJob } from '../quote/webhook-url.ts'

export type SaleQuote = { readonly amount: Micros; readonly entry: Entry }

/** The price of a call for a buyer without an account. Throws AppError for a call that needs an account. */
export function quoteSale(
  calls: Calls,
  {
    service,
    action,
    body,
    mode,
  }: {
    readonly service: string
    readonly action: string
    readonly body: unknown
    readonly mode: Mode
  },
): SaleQuote {
  const entry = calls.catalog.findAction(service, action)
  const read = readInput(calls, entry, mode, body)
  // Files use the quota of an account, which lists and deletes them. Items created at a vendor belong to an account too.
  const needsAccount =
    entry.service.id === 'files' ||
    (entry.action.kind === 'local' && entry.action.atVendor) ||
    (entry.action.kind === 'call' && entry.action.ownership !== undefined) ||
    (entry.service.models !== undefined && read.lane?.kind === 'in-house')
  if (worstCase(entry.action, read.input) === 0n || isJob(entry, read.input) || needsAccount)
    throw new AppError('invalid_token', 'This action needs an API key. It is not sold per call.')
  requireLane(entry, read)
  const { input, amount, lane } = applyMaxCost(entry, read)
  // max_cost_cents can lower the count, but not the price of a count: a buyer would set their own price. The exception is a
  // merchant that charges by its own count below a cap. Any other merchant would reject the call after the buyer has paid.
  const whole = worstCase(entry.action, input)
  const isMerchantsPrice = lane?.kind === 'wallet' && isCapped(priceOf(entry.action, input))
  if (amount < whole && !isMerchantsPrice)
    throw tooExpensive(`costs ${formatDollars(whole)} without a key`, whole, amount)
  return { amount, entry }
}
