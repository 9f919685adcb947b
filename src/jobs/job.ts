import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Micros } from '../lib/money.ts'
import type { Owner } from '../lib/owner.ts'

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed'

/** A job as its worker sees it. Its hold and its transaction have the same id. */
export type Job = {
  readonly id: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly walletId: number
  readonly budgetId: Id | null
  readonly service: string
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  /** The operator's price terms when it was submitted; null for the list price. */
  readonly terms?: unknown
  /** The amount of the hold, which limits the total cost of its steps. */
  readonly budget: Micros
  readonly createdMs: number
  readonly deadlineMs: number
  /** A cancelled job begins no further step. */
  readonly isCancelled: boolean
  /** 1 for the first worker, one more for each later one. */
  readonly attempt: number
}

/**
 * The owner of everything that a job creates: the key that submitted it. A budget has its key's id.
 */
export function ownerOfJob({ accountId, mode, budgetId }: Job): Owner {
  return { accountId, mode, keyId: budgetId, scope: budgetId === null ? 'account' : 'own' }
}

export type JobProgressReport = {
  readonly progress: Readonly<Record<string, number>> | null
  readonly spent: Micros
}

/** More fields of a failed job's error. */
export type FailureFacts = {
  readonly fix?: string
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
}
export type JobFailure = FailureFacts & { readonly code: string; readonly message: string }

export type JobEnd =
  | {
      readonly kind: 'succeeded'
      readonly result: unknown
      readonly charge: Micros
      readonly hops: string | null
    }
  | (JobFailure & {
      readonly kind: 'failed'
      readonly hops: string | null
      /** Of what the caller's own input used. */
      readonly charge?: Micros
      readonly result?: unknown
    })

/** Concurrent deep jobs per account and mode. */
export const MOST_DEEP_JOBS = 3
/** Shorter jobs may also use the places that are reserved for other accounts. */
export const SHORT_JOB_MS = 15 * 60_000
export const RESULT_RETENTION_MS = 30 * DAY_MS
/** A worker renews its leases within this time. After it, another worker takes the job. */
export const LEASE_MS = 6_000
export const BEAT_MS = 2_000

/** Notifies workers of new jobs and cancellations, and waiting callers of ends. */
export const JOBS_CHANNEL = 'tollgate_jobs'
export type JobMessage = { readonly about: 'queued' | 'cancelled' | 'ended'; readonly id: Id }

export function jobMessage({ about, id }: JobMessage): string {
  return `${about} ${id}`
}

export function parseJobMessage(payload: string): JobMessage | null {
  const [about, id] = payload.split(' ')
  return (about === 'queued' || about === 'cancelled' || about === 'ended') && id !== undefined
    ? { about, id }
    : null
}
