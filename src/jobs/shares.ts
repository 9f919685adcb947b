import type { Id } from '../lib/ids.ts'
import type { Job } from './job.ts'

/** How the places of a worker are shared between accounts: jobs may take hours each. */
export type Shares = {
  /** How many jobs may be claimed beside those that are worked on, whoever has them. */
  room(): number
  /** Accounts that have as many as they may. */
  full(): Id[]
  take(job: Job): void
  giveBack(job: Job): void
}

export function createShares(places: number): Shares {
  // A quarter is left to other accounts. Where there is but one place there is nothing to leave.
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
    // So many that they may all belong to the account that has most already.
    room: () =>
      Math.min(
        places - total,
        share - Math.max(0, ...[...taken.values()].filter((has) => has < share)),
      ),
    full: () => [...taken].filter(([, has]) => has >= share).map(([accountId]) => accountId),
    take: (job) => count(job, 1),
    giveBack: (job) => count(job, -1),
  }
}
