import { DAY_MS } from '../lib/clock.ts'
import type { Id } from '../lib/ids.ts'
import type { Mode } from '../lib/mode.ts'
import type { Micros } from '../lib/money.ts'
import type { Owner } from '../lib/owner.ts'

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed'

/** A job as its worker sees it. Its id is also that of its hold and of its transaction. */
export type Job = {
  readonly id: Id
  readonly accountId: Id
  readonly mode: Mode
  readonly walletId: number
  readonly budgetId: Id | null
  readonly service: string
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  /** What is held: the most that its steps may cost. */
  readonly budget: Micros
  readonly createdMs: number
  readonly deadlineMs: number
  /** It was told to end early: no further step is to be made. */
  readonly isCancelled: boolean
  /** 1 the first time, one more each time that it is taken up again. */
  readonly attempt: number
}

/** A job makes things as the key that submitted it, and asks about what it made itself. A budget has its key's id. */
export function ownerOfJob({ accountId, mode, budgetId }: Job): Owner {
  return { accountId, mode, keyId: budgetId, scope: budgetId === null ? 'account' : 'own' }
}

export type JobProgressReport = {
  readonly progress: Readonly<Record<string, number>> | null
  readonly spent: Micros
}

/** What a failed job tells beside its code and message. */
export type FailureFacts = {
  readonly fix?: string
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
}
export type JobFailure = FailureFacts & { readonly code: string; readonly message: string }

/** How a job ended. */
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
      readonly result?: unknown
    })

/** The most deep jobs that an account may have running at once. */
export const MOST_DEEP_JOBS = 3
/** A job that ends within this time holds up nobody for long: the places left to other accounts are open to it. */
export const SHORT_JOB_MS = 15 * 60_000
export const RESULT_KEPT_MS = 30 * DAY_MS
/** A lease must be renewed within this time; a worker that died is replaced after it. */
export const LEASE_MS = 6_000
export const BEAT_MS = 2_000

/** Workers listen here for new work and for cancellations, callers for ends. */
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
