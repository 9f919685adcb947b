/** Long computations in slices, so that the event loop serves requests between them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock, type Clock } from '../clock.ts'

/** A computation that yields at least once per millisecond of work. */
export type Steps<T> = Generator<undefined, T, undefined>

export type Turns = {
  readonly now: Clock
  /** Resolves on a later turn of the event loop. */
  readonly next: () => Promise<unknown>
}

export type Sliced<T> = {
  /** The result, computed in slices. All callers share one computation. */
  readonly inSlices: () => Promise<T>
  /** The result. The rest of the computation runs without a pause. */
  readonly whole: () => T
}

const SLICE_MS = 4
const EVENT_LOOP: Turns = { now: systemClock, next: () => nextTurn() }

/** Starts the computation at the first call of either function. An error is thrown to every caller. */
export function createSliced<T>(start: () => Steps<T>, turns: Turns = EVENT_LOOP): Sliced<T> {
  let steps: Steps<T> | undefined
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined
  let running: Promise<T> | undefined

  /** Runs until the computation ends or `isOver` returns true. */
  const advance = (isOver: () => boolean): void => {
    steps ??= start()
    try {
      while (outcome === undefined) {
        const step = steps.next()
        if (step.done === true) outcome = { value: step.value }
        else if (isOver()) return
      }
    } catch (error) {
      outcome = { error }
    }
  }
  const take = (): T => {
    advance(() => false)
    if (outcome !== undefined && 'value' in outcome) return outcome.value
    throw outcome?.error
  }
  const runInSlices = async (): Promise<T> => {
    for (;;) {
      await turns.next()
      if (outcome !== undefined) return take()
      const startMs = turns.now()
      advance(() => turns.now() - startMs >= SLICE_MS)
    }
  }
  return { inSlices: () => (running ??= runInSlices()), whole: take }
}

/** Runs a computation without a pause. */
export function runWhole<T>(steps: Steps<T>): T {
  return createSliced(() => steps).whole()
}
