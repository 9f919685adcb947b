import { newId, type Id } from '../../lib/ids.ts'
import { claimDeliveries, type Claimed } from './claim-deliveries.ts'
import { recordTry } from './record-try.ts'
import { mailDisabled, sendDelivery, type SendDeps } from './send-delivery.ts'

export type DeliveryWorkerDeps = SendDeps & {
  /** Deliveries in progress, of all accounts. */
  readonly concurrency: number
  /** From 0 to 1. */
  readonly random: () => number
  readonly onError: (error: unknown, what: string) => void
}

export type DeliveryWorker = {
  /** Claims due deliveries while there is capacity. Never rejects. */
  wake(): Promise<void>
  /** Settles when nothing is due and no try is in progress. */
  drain(): Promise<void>
  /** Stops claiming, and waits for tries in progress. */
  stop(): Promise<void>
}

/**
 * Delivers events with its own connections and places, so that slow receivers delay no job. An
 * account uses at most a quarter of the places.
 */
export function createDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { database, now, random, concurrency, onError } = deps
  const worker = newId(now())
  const share = Math.max(1, Math.floor(concurrency / 4))
  const active = new Set<Promise<void>>()
  const perAccount = new Map<Id, number>()
  let claiming: Promise<void> | undefined
  let isWoken = false
  let isStopping = false

  async function claim(): Promise<void> {
    while (isWoken) {
      isWoken = false
      if (isStopping) return
      const busiest = Math.max(0, ...[...perAccount.values()].filter((places) => places < share))
      // All of them may belong to the busiest account below its share.
      const capacity = Math.min(concurrency - active.size, share - busiest)
      if (capacity <= 0) return
      const atShare = [...perAccount].filter(([, places]) => places >= share).map(([id]) => id)
      const claimed = await claimDeliveries(database, worker, capacity, atShare, now())
      for (const one of claimed) begin(one)
      if (claimed.length > 0) isWoken = true
    }
  }

  function begin(claimed: Claimed): void {
    count(claimed.account_id, 1)
    const work = deliver(claimed)
      .catch((error: unknown) => onError(error, 'a delivery could not be recorded'))
      .finally(() => {
        active.delete(work)
        count(claimed.account_id, -1)
        void wake()
      })
    active.add(work)
  }

  async function deliver(claimed: Claimed): Promise<void> {
    const result = await sendDelivery(deps, claimed)
    const disabled = await recordTry(database, worker, claimed, result, {
      nowMs: now(),
      random: random(),
    })
    if (disabled === null) return
    await mailDisabled(deps, disabled).catch((error: unknown) =>
      onError(error, 'the email about a disabled webhook could not be sent'),
    )
  }

  function count(accountId: Id, change: 1 | -1): void {
    const next = (perAccount.get(accountId) ?? 0) + change
    if (next === 0) perAccount.delete(accountId)
    else perAccount.set(accountId, next)
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
