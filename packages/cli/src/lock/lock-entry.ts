/** An action in a lock, made from its descriptor, and compared with a newer one. */
import { compareSchemas, type Change } from './compare-schema.ts'
import { lockSchema, type LockableSchema, type LockedSchema } from './lock-schema.ts'

export type LockEntry = {
  readonly price_id: string
  /** The price in words. */
  readonly price: string
  /** The most that one call may cost, in whole cents. */
  readonly max_cents: number
  readonly input: LockedSchema
  /** Null if the gateway does not describe the answer. */
  readonly answer: LockedSchema | null
}

/** The fields of a descriptor that a lock reads. */
export type LockedDescriptor = {
  readonly price_id: string
  readonly price: {
    readonly text: string
    readonly price_cents: number
    readonly max_price_cents?: number
    readonly example_cents?: number
  }
  readonly params: LockableSchema
  readonly returns: LockableSchema | null
  readonly endpoints?: readonly { readonly endpoint: string }[]
}

/** Without `maxCents` the limit is the most that a call can cost; if a count decides it, the cost of the example. */
export function lockEntry(descriptor: LockedDescriptor, maxCents?: number): LockEntry {
  const { price, price_id, params, returns } = descriptor
  return {
    price_id,
    price: price.text,
    max_cents: maxCents ?? usualLimit(price),
    input: lockSchema(params),
    answer: returns === null ? null : lockSchema(returns),
  }
}

function usualLimit(price: LockedDescriptor['price']): number {
  return Math.ceil(price.max_price_cents ?? price.example_cents ?? price.price_cents)
}

/** The limit of a locked action stays, unless no call fits into it any longer. */
export function relockEntry(former: LockEntry, descriptor: LockedDescriptor): LockEntry {
  return lockEntry(
    descriptor,
    isTooLow(former.max_cents, descriptor) ? undefined : former.max_cents,
  )
}

export function compareEntry(locked: LockEntry, descriptor: LockedDescriptor): readonly Change[] {
  const current = lockEntry(descriptor)
  return [
    ...(locked.price_id === current.price_id ? [] : [priceChange(locked, current)]),
    ...(isTooLow(locked.max_cents, descriptor)
      ? [
          {
            what: `price: max_cents is ${locked.max_cents}, and a call costs at least ${descriptor.price.price_cents}¢`,
            isBreaking: true,
          },
        ]
      : []),
    ...compareSchemas('input', locked.input, current.input),
    ...compareSchemas('answer', locked.answer, current.answer),
  ]
}

/** The gateway rejects calls with the locked price_id, even if the new price is lower. */
function priceChange(locked: LockEntry, current: LockEntry): Change {
  const what =
    locked.price === current.price
      ? `price: the rule changed; it is still ${current.price}`
      : `price: changed from ${locked.price} to ${current.price}`
  return { what, isBreaking: true }
}

function isTooLow(maxCents: number, { price }: LockedDescriptor): boolean {
  return maxCents < price.price_cents
}
