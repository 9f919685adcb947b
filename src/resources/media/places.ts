/** How many calls of media models run at the same time, and for how long while others wait. */
import {
  allButOne,
  createSlots,
  type Slots,
  type SlotTiming,
  type Visitor,
} from '../../lib/fairness/fair-slots.ts'
import { runInTurn } from '../../lib/fairness/run-in-turn.ts'

/** `short`: its caller waits for the answer. Short calls never wait for long ones. */
export type Length = 'short' | 'long'

export type Places = {
  /** Runs work in a place. Its signal aborts with InterruptedTurn when the work must restart, because another account waits. */
  run<Result>(
    length: Length,
    visitor: Visitor,
    work: (turn: AbortSignal) => Promise<Result>,
  ): Promise<Result>
}

const WAITING = 256
/** A call that has its place longer gives it to another account that waits. */
const SHARE_MS: Readonly<Record<Length, number>> = { short: 5_000, long: 15_000 }
const WHAT: Readonly<Record<Length, string>> = {
  short: 'speech or a frame of a video',
  long: 'a media render',
}

/**
 * One account renders on half of the processors. Renders of several accounts run at the same time:
 * the system shares the processors, so one account at most doubles the time of another. At most
 * three quarters of the boxes are for media.
 */
export function createPlaces(processors: number, boxes: number, timing?: SlotTiming): Places {
  const half = Math.max(1, Math.floor(processors / 2))
  const open = (length: Length, most: number): Slots => {
    const places = Math.max(1, Math.min(4 * half, most))
    const perAccount = Math.min(half, allButOne(places))
    return createSlots({ places, perAccount, waiting: WAITING, what: WHAT[length], timing })
  }
  const slots: Readonly<Record<Length, Slots>> = {
    long: open('long', Math.floor(boxes / 2)),
    short: open('short', Math.floor(boxes / 4)),
  }
  return {
    run: (length, visitor, work) => runInTurn(slots[length], visitor, SHARE_MS[length], work),
  }
}
