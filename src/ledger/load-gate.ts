/**
 * Admits calls by the time that operations wait for the ledger. That wait includes a busy event
 * loop and a busy database. A call waits about five times as long: its request, hold, vendor
 * response, settlement and response each wait once.
 *
 * It sheds load once every operation has waited longer than the target for a whole interval (CoDel,
 * RFC 8289). Then it admits only as many calls as keep the wait at the target.
 */
export type LoadGate = {
  /** An operation joins the queue. */
  enter(): void
  /** `count` operations leave the queue; the oldest joined it at `oldestMs`. */
  leave(count: number, oldestMs: number): void
  /** Counts a call that was rejected after it waited for capacity. */
  countRejection(): void
  /** How many more operations may wait now: 0 while calls are rejected. */
  capacity(): number
  /** Whether it currently rejects calls beyond its limit. */
  isShedding(): boolean
  rejected(): number
  /** The expected wait of an operation that joins now, at the current rate. */
  expectedWaitMs(): number
}

export type LoadGateDeps = {
  /** A monotonic clock. */
  readonly nowMs: () => number
  readonly targetMs?: number
  readonly intervalMs?: number
  /**
   * Always admits a call while fewer operations wait: few callers of a slow database are no
   * overload.
   */
  readonly alwaysAdmitted?: number
}

const TARGET_MS = 40
const INTERVAL_MS = 100
const ALWAYS_ADMITTED = 512
/** The rate is measured over this interval, so it follows a change within half a second. */
const RATE_STRETCH_MS = 250
/** Load shedding ends when every wait was below half the target for this many intervals. */
const YOUNG_INTERVALS = 5

export function createLoadGate({
  nowMs,
  targetMs = TARGET_MS,
  intervalMs = INTERVAL_MS,
  alwaysAdmitted = ALWAYS_ADMITTED,
}: LoadGateDeps): LoadGate {
  let [waiting, rejected] = [0, 0]
  let isShedding = false
  /**
   * Since when every wait has been above the target, or below half of it. Null if the last one was
   * not.
   */
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

  /** Without a finished operation `judge` does not run. */
  function isStuck(atMs: number): boolean {
    return waiting >= alwaysAdmitted && atMs - lastEndMs > targetMs + intervalMs
  }

  function capacity(): number {
    if (waiting < alwaysAdmitted) return alwaysAdmitted - waiting
    if (isStuck(nowMs())) return 0
    return isShedding ? Math.max(0, perMs * targetMs - waiting) : Number.POSITIVE_INFINITY
  }

  return {
    enter() {
      // An empty queue is not stuck.
      if (waiting === 0) lastEndMs = nowMs()
      waiting += 1
    },
    leave(count, oldestMs) {
      const atMs = nowMs()
      waiting -= count
      lastEndMs = atMs
      countRate(count, atMs)
      judge(atMs - oldestMs, atMs)
    },
    countRejection() {
      rejected += 1
    },
    capacity,
    isShedding: () => isShedding || isStuck(nowMs()),
    rejected: () => rejected,
    expectedWaitMs: () => (perMs === 0 ? 0 : waiting / perMs),
  }
}
