import { randomInt } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { leaseOf, newId, NO_LEASE, type Id, type LeaseNumber } from '../lib/ids.ts'
import type { BeatConnection } from './beat-connection.ts'
import {
  readBeat,
  beatStatement,
  deleteLease,
  endLease,
  endOwnLease,
  insertLease,
  RELIED_ON_MS,
  type SeenLease,
} from './lease.ts'
import { createLeaseWatch } from './lease-watch.ts'

/** The lease of this process, and its watch over other leases. */
export type ProcessLease = {
  /** A new call id, which ends in the lease's number. */
  newCallId(): Id
  /** Whether the call still belongs to this process. False once its lease is lost, or may be. */
  covers(callId: Id): boolean
  /** Renews the lease, ends dead ones and releases their work. Call it every BEAT_MS. */
  beat(): Promise<void>
  /** Ends the lease. Call it after the last call has ended. */
  close(): Promise<void>
}

export type LeaseDeps = {
  readonly database: Pick<Database, 'query'>
  readonly line: BeatConnection
  /** The time in call ids. */
  readonly now: Clock
  /** A clock that changes of the machine's time do not affect. */
  readonly monotonic: Clock
  /**
   * Releases the work of a dead process. Returns the number of holds and claims. Safe to repeat.
   */
  readonly release: (number: LeaseNumber) => Promise<number>
  readonly onEvent: (event: LeaseEvent) => void
  /** Chooses a lease number; random by default. */
  readonly pick?: () => LeaseNumber
}

export type LeaseEvent =
  | { readonly kind: 'lost'; readonly number: LeaseNumber }
  | { readonly kind: 'released'; readonly number: LeaseNumber; readonly released: number }
  | { readonly kind: 'failed'; readonly number: LeaseNumber; readonly error: unknown }

const PICKS = 10
// Far more than a process ever loses. Calls under older leases have ended.
const MOST_LOST = 100
const NUMBERS = 0xff_ff_ff

/** `confirmedMs`: the start of the last confirmed beat. */
type Held = { readonly number: LeaseNumber; confirmedMs: number }

export async function openProcessLease(deps: LeaseDeps): Promise<ProcessLease> {
  const { database, line, now, monotonic, onEvent, pick = pickNumber } = deps
  const watch = createLeaseWatch()
  const lost = new Set<LeaseNumber>()
  const releasing = new Map<LeaseNumber, Promise<void>>()
  let beating: Promise<void> | undefined
  let held: Held | null = await acquire()

  async function acquire(): Promise<Held> {
    for (let left = PICKS; ; left -= 1) {
      const [number, confirmedMs] = [pick(), monotonic()]
      if (await insertLease(database, number)) return { number, confirmedMs }
      // Repeated collisions mean another defect. The next beat tries again.
      if (left === 1) throw new RangeError('No free lease number was found.')
    }
  }

  function isReliable({ confirmedMs }: Held): boolean {
    return monotonic() - confirmedMs < RELIED_ON_MS
  }

  async function beat(): Promise<void> {
    const mine = (held ??= await acquire())
    const startedMs = monotonic()
    const { isMine, others } = readBeat(await line.query(beatStatement(mine.number)))
    if (isMine) mine.confirmedMs = startedMs
    else {
      lost.add(mine.number)
      for (const oldest of lost) if (lost.size > MOST_LOST) lost.delete(oldest)
      held = null
      onEvent({ kind: 'lost', number: mine.number })
      held = await acquire()
    }
    for (const dead of watch.look(others, startedMs, monotonic())) void end(dead)
  }

  async function end(dead: SeenLease): Promise<void> {
    const { number } = dead
    if (releasing.has(number)) return
    const ending = endLease(database, dead)
      .then((isEnded) => (isEnded ? release(number) : undefined))
      .catch((error: unknown) => onEvent({ kind: 'failed', number, error }))
    releasing.set(number, ending)
    await ending
    releasing.delete(number)
  }

  async function release(number: LeaseNumber): Promise<void> {
    const released = await deps.release(number)
    await deleteLease(database, number)
    onEvent({ kind: 'released', number, released })
  }

  return {
    newCallId: () => newId(now(), held !== null && isReliable(held) ? held.number : NO_LEASE),
    covers(callId) {
      const number = leaseOf(callId)
      return held?.number === number ? isReliable(held) : !lost.has(number)
    },
    beat: () => (beating ??= beat().finally(() => (beating = undefined))),
    async close() {
      await beating?.catch(() => {})
      await Promise.all(releasing.values())
      if (held !== null) {
        const { number } = held
        held = null
        await endOwnLease(database, number)
          .then(() => release(number))
          .catch((error: unknown) => onEvent({ kind: 'failed', number, error }))
      }
      await line.close()
    },
  }
}

function pickNumber(): LeaseNumber {
  return randomInt(1, NUMBERS + 1)
    .toString(16)
    .padStart(6, '0')
}
