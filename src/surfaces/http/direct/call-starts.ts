import type { Calls } from '../../../calls/call.ts'
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts'

/**
 * Decides when calls start. An iteration of the event loop starts calls for at most `SLICE_MS`, so
 * it stays short under any load. Calls in progress continue, and bytes and connections that wait in
 * the operating system are read soon. The other calls wait here, where their age is known.
 */
export type CallStarts = {
  /** Whether a call that arrives at `nowMs` starts immediately. If not, pass it to `wait`. */
  admits(nowMs: number): boolean
  /** Starts or rejects the call later. */
  wait(call: WaitingCall): void
  /** Starts all waiting calls, when the server stops. */
  startAll(): void
}

export type CallStartsDeps = {
  readonly load: Pick<Calls['ledger']['load'], 'capacity' | 'countRejection'>
  /** A monotonic clock. */
  readonly nowMs?: () => number
  /** Runs a function at the end of this iteration of the event loop. */
  readonly soon?: (run: () => void) => void
  readonly later?: (run: () => void, ms: number) => void
}

// Calls in progress need about 1.5 times as long in the same iteration.
export const SLICE_MS = 5
/** Between two attempts while the ledger has no capacity. */
const TURN_MS = 10

export function createCallStarts({
  load,
  nowMs = () => performance.now(),
  soon = setImmediate,
  later = (run, ms) => void setTimeout(run, ms).unref(),
}: CallStartsDeps): CallStarts {
  const calls = new WaitingCalls()
  let sliceStartMs: number | null = null
  let isPlanned = false

  function endSlice(): void {
    sliceStartMs = null
  }

  function isInSlice(atMs: number): boolean {
    if (sliceStartMs === null) {
      sliceStartMs = atMs
      soon(endSlice)
    }
    return atMs - sliceStartMs < SLICE_MS
  }

  async function takeTurn(): Promise<void> {
    let atMs = nowMs()
    const endMs = atMs + SLICE_MS
    for (let count = calls.rejectOld(atMs); count > 0; count -= 1) load.countRejection()
    for (let free = load.capacity(); free > 0 && atMs < endMs; free -= 1) {
      if (!calls.startNext(atMs)) break
      // Runs the call up to its hold, which belongs to the time of its start.
      await Promise.resolve()
      atMs = nowMs()
    }
    isPlanned = false
    if (calls.size > 0) plan()
  }

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    if (calls.isContended && load.capacity() > 0) soon(() => void takeTurn())
    else later(() => void takeTurn(), TURN_MS)
  }

  return {
    admits: (atMs) => !calls.isContended && isInSlice(atMs) && load.capacity() > 0,
    wait(call) {
      calls.add(call)
      plan()
    },
    startAll: () => calls.startAll(),
  }
}
