import { randomInt } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { leaseOf, newId, NO_LEASE, type Id, type LeaseNumber } from '../lib/ids.ts'
import type { BeatLine } from './beat-line.ts'
import {
  beatenOf,
  beatStatement,
  deleteLease,
  endLease,
  endOwnLease,
  insertLease,
  SURE_FOR_MS,
  type SeenLease,
} from './lease.ts'
import { createLeaseWatch } from './lease-watch.ts'

/** The lease of this process, and its watch over those of the others. */
export type ProcessLease = {
  /** The id of a call: it ends in the lease's number. */
  newCallId(): Id
  /** Whether the call's work may still be this process's: false once the lease under which it began was lost, or may have been. */
  covers(callId: Id): boolean
  /** Renews the lease, ends dead ones and releases their work. To be called every BEAT_MS. */
  beat(): Promise<void>
  /** Gives the lease up. To be called when no call is under way any more. */
  close(): Promise<void>
}

export type LeaseSettings = {
  readonly database: Pick<Database, 'query'>
  readonly line: BeatLine
  /** The time in ids. */
  readonly now: Clock
  /** Counts on whatever is done to the machine's time of day. */
  readonly monotonic: Clock
  /** Releases what the processes with these leases left. Returns how many holds and claims that were. Safe to repeat. */
  readonly release: (number: LeaseNumber) => Promise<number>
  readonly onEvent: (event: LeaseEvent) => void
  /** Tests decide which number comes next. */
  readonly pick?: () => LeaseNumber
}

export type LeaseEvent =
  | { readonly kind: 'lost'; readonly number: LeaseNumber }
  | { readonly kind: 'released'; readonly number: LeaseNumber; readonly released: number }
  | { readonly kind: 'failed'; readonly number: LeaseNumber; readonly error: unknown }

const PICKS = 10
// Far more than a process loses; calls of older ones have ended.
const MOST_LOST = 100
const NUMBERS = 0xff_ff_ff

/** Held from here on; `confirmedMs` is when the last confirmed beat began. */
type Held = { readonly number: LeaseNumber; confirmedMs: number }

export async function openProcessLease(settings: LeaseSettings): Promise<ProcessLease> {
  const { database, line, now, monotonic, onEvent, pick = anyNumber } = settings
  const watch = createLeaseWatch()
  const lost = new Set<LeaseNumber>()
  const releasing = new Map<LeaseNumber, Promise<void>>()
  let beating: Promise<void> | undefined
  let held: Held | null = await acquire()

  async function acquire(): Promise<Held> {
    for (let left = PICKS; ; left -= 1) {
      const [number, confirmedMs] = [pick(), monotonic()]
      if (await insertLease(database, number)) return { number, confirmedMs }
      // So many collisions in a row mean that something else is wrong; the next beat tries again.
      if (left === 1) throw new RangeError('No free lease number was found.')
    }
  }

  function isSure({ confirmedMs }: Held): boolean {
    return monotonic() - confirmedMs < SURE_FOR_MS
  }

  async function beat(): Promise<void> {
    const mine = (held ??= await acquire())
    const startedMs = monotonic()
    const { isMine, others } = beatenOf(await line.ask(beatStatement(mine.number)))
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
    const released = await settings.release(number)
    await deleteLease(database, number)
    onEvent({ kind: 'released', number, released })
  }

  return {
    newCallId: () => newId(now(), held !== null && isSure(held) ? held.number : NO_LEASE),
    covers(callId) {
      const number = leaseOf(callId)
      return held?.number === number ? isSure(held) : !lost.has(number)
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

function anyNumber(): LeaseNumber {
  return randomInt(1, NUMBERS + 1)
    .toString(16)
    .padStart(6, '0')
}
