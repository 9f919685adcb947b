import { TollgateError } from './tollgate-error.ts'

/** One action in a lock. */
export type LockedPrice = {
  readonly price_id: string
  /** The most that one call may cost, in whole cents. */
  readonly max_cents: number
}

/**
 * The content of tollgate.lock, which `./tollgate lock` writes. Names are "service/action", or
 * "service/action /endpoint" for one endpoint of a passthrough.
 */
export type PriceLock = { readonly actions: Readonly<Record<string, LockedPrice>> }

type CostFields = { readonly endpoint?: unknown; readonly max_cost_cents?: number }

/**
 * The input with the locked price, so that the gateway rejects the call after a change. Throws
 * TollgateError action_not_locked or above_locked_price.
 */
export function applyLock(lock: PriceLock | undefined, action: string, input: object): object {
  if (lock === undefined) return input
  const { endpoint, max_cost_cents: asked } = input as CostFields
  const name = typeof endpoint === 'string' ? `${action} ${endpoint}` : action
  const locked = lock.actions[name] ?? lock.actions[action]
  if (locked === undefined)
    throw new TollgateError({
      code: 'action_not_locked',
      message: `The price lock has no entry for ${name}. The call was not sent.`,
      fix: `Run: ./tollgate lock "${name}"`,
    })
  const { price_id, max_cents } = locked
  if (asked !== undefined && asked > max_cents)
    throw new TollgateError({
      code: 'above_locked_price',
      message: `max_cost_cents is ${asked}; the price lock allows ${max_cents} for ${name}. The call was not sent.`,
      fix: `Lower max_cost_cents, or run: ./tollgate lock "${name}" --max-cents ${asked}`,
      details: { max_cost_cents: asked, max_cents },
    })
  return { max_cost_cents: max_cents, price_id, ...input }
}
