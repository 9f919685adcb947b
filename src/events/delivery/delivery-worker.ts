import { newId } from '../../lib/ids.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { claimDeliveries, type Claimed } from './claim-deliveries.ts'
import { recordTry } from './record-try.ts'
import { mailDisabled, sendDelivery, type SendDeps } from './send-delivery.ts'

export type DeliveryWorkerDeps = SendDeps & {
  /** Deliveries in progress, of all accounts. */
  readonly concurrency: number
  /** From 0 to 1. */
  readonly random: () => number
  readonly onError: (error: unknown, what: string) => void
  readonly slowTryMs?: number
}

export type DeliveryWorker = {
  /** Claims due deliveries while there is capacity. Never rejects. */
  wake(): Promise<void>
  /** Settles when nothing is due and no try is in progress. */
  drain(): Promise<void>
  /** Stops claiming, and waits for tries in progress. */
  stop(): Promise<void>
}

/** A receiver that needed longer for its last try gets one place. */
const SLOW_TRY_MS = 5_000
const SLOW_REMEMBERED = 1_000

/**
 * Delivers events with its own connections and places, so that slow receivers delay no job. An
 * account uses at most a quarter of the places, one receiver half of them, and slow receivers half
 * of all and of each account's.
 */
export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { database, now, random, concurrency, onError, slowTryMs = SLOW_TRY_MS } = deps
  const worker = newId(now())
  const account = Math.max(1, Math.floor(concurrency / 4))
  const shares = {
    account,
    receiver: Math.max(1, Math.floor(account / 2)),
    slow: Math.max(1, Math.floor(concurrency / 2)),
  }
  const active = new Set<Promise<void>>()
  const used = new Map<string, number>()
  const slow = new RecentMap<string, true>(SLOW_REMEMBERED)
  let claiming: Promise<void> | undefined
  let isWoken = false
  let isStopping = false

  async function claim(): Promise<void> {
    while (isWoken) {
      isWoken = false
      if (isStopping) return
      const capacity = concurrency - active.size
      if (capacity <= 0) return
      const places = {
        used: Object.fromEntries(used),
        slow: [...slow.entries()].map(([receiver]) => receiver),
        shares,
      }
      const claimed = await claimDeliveries(database, worker, capacity, places, now())
      for (const one of claimed) begin(one)
      if (claimed.length > 0) isWoken = true
    }
  }

  function begin(claimed: Claimed): void {
    const { account_id: accountId, receiver } = claimed
    const keys = [
      accountId,
      receiver,
      ...(slow.get(receiver) === undefined ? [] : ['slow', `slow ${accountId}`]),
    ]
    count(keys, 1)
    const work = deliver(claimed)
      .catch((error: unknown) => onError(error, 'a delivery could not be recorded'))
      .finally(() => {
        active.delete(work)
        count(keys, -1)
        void wake()
      })
    active.add(work)
  }

  async function deliver(claimed: Claimed): Promise<void> {
    const result = await sendDelivery(deps, claimed)
    if (result.attempt.took_ms >= slowTryMs) slow.set(claimed.receiver, true)
    else slow.delete(claimed.receiver)
    const disabled = await recordTry(database, worker, claimed, result, {
      nowMs: now(),
      random: random(),
    })
    if (disabled === null) return
    await mailDisabled(deps, disabled).catch((error: unknown) =>
      onError(error, 'the email about a disabled webhook could not be sent'),
    )
  }

  function count(keys: readonly string[], change: 1 | -1): void {
    for (const key of keys) {
      const next = (used.get(key) ?? 0) + change
      if (next === 0) used.delete(key)
      else used.set(key, next)
    }
  }

  function wake(): Promise<void> {
    isWoken = true
    claiming ??= claim()
      .catch((error: unknown) => onError(error, 'deliveries could not be claimed'))
      .finally(() => {
        claiming = undefined
        // `wake` was called after the last claim.
        if (isWoken && !isStopping) void wake()
      })
    return claiming
  }

  return {
    wake,
    async drain() {
      await wake()
      while (active.size > 0) {
        await Promise.all(active)
        await wake()
      }
    },
    async stop() {
      isStopping = true
      await claiming
      await Promise.all(active)
    },
  }
}
