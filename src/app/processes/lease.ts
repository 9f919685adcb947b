import type { Logger } from 'pino'
import { releaseClaims } from '../../calls/idempotency/answers.ts'
import { answerInterrupted } from '../../calls/payments/charge-at-signing.ts'
import { markSalesUnknown } from '../../calls/selling/sales.ts'
import type { Database } from '../../db/database.ts'
import { StatementPipeline } from '../../db/pipeline/statement-pipeline.ts'
import { createBeatConnection } from '../../leases/beat-connection.ts'
import { BEAT_MS } from '../../leases/lease.ts'
import { openProcessLease, type LeaseEvent, type ProcessLease } from '../../leases/process-lease.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'

export type RunningLease = Pick<ProcessLease, 'newCallId' | 'covers' | 'close'>

type LeaseDeps = {
  readonly database: Database
  readonly ledger: Ledger
  readonly now: Clock
  readonly logger: Logger
}

/** A heartbeat without an answer must not delay the one after the next. */
const LONGEST_BEAT_MS = 1_500

/** Takes and renews the lease of this process, ends leases of dead processes and releases their holds. */
export async function startLease({
  database,
  ledger,
  now,
  logger,
}: LeaseDeps): Promise<RunningLease> {
  const lease = await openProcessLease({
    database,
    line: createBeatConnection(
      () => new StatementPipeline(database.connect('lease'), LONGEST_BEAT_MS),
      LONGEST_BEAT_MS,
    ),
    now,
    monotonic: () => performance.now(),
    async release(number) {
      const queued = await markSalesUnknown(database, number)
      if (queued > 0)
        logger.error(
          { queued },
          'payments of an ended process need a decision: see ./tollgate payments sales',
        )
      const interrupted = await answerInterrupted(database, number)
      return (
        queued +
        interrupted +
        (await ledger.releaseOf(number)) +
        (await releaseClaims(database, number, now()))
      )
    },
    onEvent: (event) => logEvent(logger, event),
  })
  let isFailing = false
  const beat = async (): Promise<void> => {
    try {
      await lease.beat()
      isFailing = false
    } catch (error) {
      // One line for a series of failures: the next heartbeat tries again.
      if (!isFailing) logger.warn({ err: error }, 'this process could not renew its lease')
      isFailing = true
    }
  }
  // The first check starts the timer of leases that an earlier process left.
  void beat()
  const timer = setInterval(() => void beat(), BEAT_MS)
  return {
    ...lease,
    async close() {
      clearInterval(timer)
      await lease.close()
    },
  }
}

function logEvent(logger: Logger, event: LeaseEvent): void {
  const { kind, number: lease } = event
  if (kind === 'lost')
    logger.warn(
      { lease },
      'this process did not renew its lease in time: its open calls are not charged, and it continues with a new lease',
    )
  else if (kind === 'failed')
    logger.error({ err: event.error, lease }, 'the holds of an ended process could not be released')
  else if (event.released > 0)
    logger.warn({ lease, released: event.released }, 'released the holds of an ended process')
}
