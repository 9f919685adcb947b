import type { Id } from '../lib/ids.ts'
import type { Job } from './job.ts'

/** Shares the places of a worker between accounts, because a job can take hours. */
export type Shares = {
  /** The number of jobs to claim now, even if all belong to one account. */
  capacity(): number
  /** Accounts that use their whole share. */
  accountsAtShare(): Id[]
  take(job: Job): void
  release(job: Job): void
}

export function createShares(places: number): Shares {
  // A quarter is reserved for other accounts. A single place is not.
  const share = Math.max(1, places - Math.ceil(places / 4))
  const taken = new Map<Id, number>()
  let total = 0

  function count({ accountId }: Job, change: 1 | -1): void {
    const has = (taken.get(accountId) ?? 0) + change
    total += change
    if (has === 0) taken.delete(accountId)
    else taken.set(accountId, has)
  }

  return {
    // All of them may belong to the account with the most jobs below its share.
    capacity: () =>
      Math.min(
        places - total,
        share - Math.max(0, ...[...taken.values()].filter((has) => has < share)),
      ),
    accountsAtShare: () =>
      [...taken].filter(([, has]) => has >= share).map(([accountId]) => accountId),
    take: (job) => count(job, 1),
    release: (job) => count(job, -1),
  }
}
