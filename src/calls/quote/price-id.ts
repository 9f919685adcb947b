import type { Entry } from '../../catalog/index.ts'
import { priceIdFor, priceIdOf } from '../../catalog/prices/price-id.ts'
import { priceText } from '../../catalog/published/price-block.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'

const PRICE_ID = /^price_[0-9a-f]{12}$/

/** The `price_id` of a body; null if it has none. Throws AppError invalid_params for any other value than an id. */
export function readPriceId(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && PRICE_ID.test(value)) return value
  throw new AppError('invalid_params', 'price_id must be the price_id of a descriptor.', {
    param: 'price_id',
    fix: "GET the action's URL to read its price_id, or omit the field.",
  })
}

/** Throws AppError price_changed if the caller expects another price rule than that of the call. */
export function requirePriceId(entry: Entry, input: Data, expected: string | null): void {
  if (expected === null || expected === priceIdFor(entry, input) || expected === priceIdOf(entry))
    return
  const name = `${entry.service.id}/${entry.name}`
  throw new AppError(
    'price_changed',
    `The price of ${name} is no longer that of ${expected}. It is now ${priceText(entry.action)}.`,
    {
      param: 'price_id',
      details: { price_id: priceIdFor(entry, input), expected_price_id: expected },
    },
  )
}
