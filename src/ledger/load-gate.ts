/**
 * Decides whether another call may begin, by how long operations wait for the ledger. Everything that a call waits for in
 * the gateway shows there: a busy event loop as well as a busy database. A call waits about five times as long as one
 * operation: to be read, for its hold, for the vendor's answer to be read, for its settlement, to be sent.
 *
 * The queue is too old once operations have waited longer than the target for a whole interval (as in CoDel, RFC 8289).
 * From then on as many calls are admitted as keep the wait at the target, by the rate at which operations end; the others
 * are rejected before they cost anything. That ends when the queue has been young for a while. Memory: some numbers.
 */
export type LoadGate = {
  /** An operation began to wait. */
  entered(): void
  /** So many operations ended, of which the oldest had entered at that moment. */
  left(count: number, oldestMs: number): void
  /** Whether a call that comes now may begin; counts those that may not. */
  admits(): boolean
  /** Whether calls have been rejected lately, or would be if more came. */
  isShedding(): boolean
  /** How many calls it did not admit. */
  rejectedSoFar(): number
  /** How long an operation that begins now will wait, by the present rate. */
  expectedWaitMs(): number
}

export type LoadGateSettings = {
  /** A monotonic clock. */
  readonly nowMs: () => number
  readonly targetMs?: number
  readonly intervalMs?: number
  /** So many operations may wait however long it takes: a few callers of a slow database are no overload. */
  readonly alwaysAdmitted?: number
}

const TARGET_MS = 40
const INTERVAL_MS = 100
const ALWAYS_ADMITTED = 512
/** The rate is that of the last whole stretch, so that it follows a change within half a second. */
const RATE_STRETCH_MS = 250
/** The queue is young again when its wait was below half the target for so many intervals. */
const YOUNG_INTERVALS = 5

export function createLoadGate({
  nowMs,
  targetMs = TARGET_MS,
  intervalMs = INTERVAL_MS,
  alwaysAdmitted = ALWAYS_ADMITTED,
}: LoadGateSettings): LoadGate {
  let [waiting, rejected] = [0, 0]
  let isShedding = false
  /** The moments since when every wait was above the target, and below half of it; null where the last one was not. */
  let oldSinceMs: number | null = null
  let youngSinceMs: number | null = null
  let lastEndMs = nowMs()
  let [stretchStartMs, endedInStretch, perMs] = [lastEndMs, 0, 0]

  function countRate(count: number, atMs: number): void {
    endedInStretch += count
    const elapsedMs = atMs - stretchStartMs
    if (elapsedMs < RATE_STRETCH_MS) return
    perMs = endedInStretch / elapsedMs
    stretchStartMs = atMs
    endedInStretch = 0
  }

  function judge(waitedMs: number, atMs: number): void {
    oldSinceMs = waitedMs < targetMs ? null : (oldSinceMs ?? atMs)
    youngSinceMs = waitedMs > targetMs / 2 ? null : (youngSinceMs ?? atMs)
    if (oldSinceMs !== null && atMs - oldSinceMs >= intervalMs) isShedding = true
    if (youngSinceMs !== null && atMs - youngSinceMs >= YOUNG_INTERVALS * intervalMs)
      isShedding = false
  }

  /** Where nothing ends any more, nothing is judged either. */
  function isStuck(atMs: number): boolean {
    return waiting >= alwaysAdmitted && atMs - lastEndMs > targetMs + intervalMs
  }

  return {
    entered() {
      // Nothing could end while nothing waited.
      if (waiting === 0) lastEndMs = nowMs()
      waiting += 1
    },
    left(count, oldestMs) {
      const atMs = nowMs()
      waiting -= count
      lastEndMs = atMs
      countRate(count, atMs)
      judge(atMs - oldestMs, atMs)
    },
    admits() {
      if (waiting < alwaysAdmitted) return true
      if (!isStuck(nowMs()) && (!isShedding || waiting < perMs * targetMs)) return true
      rejected += 1
      return false
    },
    isShedding: () => isShedding || isStuck(nowMs()),
    rejectedSoFar: () => rejected,
    expectedWaitMs: () => (perMs === 0 ? 0 : waiting / perMs),
  }
}
