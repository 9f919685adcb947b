/**
 * Why a request has no permit: the vendor's rate limit, its daily limit, or an open circuit
 * breaker.
 */
export type PermitRefusal = {
  readonly reason: 'limit' | 'day' | 'failing'
  readonly waitMs: number
}

/** A permit for one request, or a refusal. */
export type Permit = {
  readonly refusal: PermitRefusal | null
  /**
   * Identifies the place among concurrent requests, for vendors that limit them. Released after the
   * request.
   */
  readonly busyUntilMs: number | null
  /** The request probes an open breaker. */
  readonly isProbe: boolean
}

export const FREE_PERMIT: Permit = { refusal: null, busyUntilMs: null, isProbe: false }

export function refusePermit(reason: PermitRefusal['reason'], waitMs: number): Permit {
  return { refusal: { reason, waitMs }, busyUntilMs: null, isProbe: false }
}

/** How long a call may still wait. `Deadline` implements it. */
export type TimeLeft = { readonly leftMs: number; readonly isOver: boolean }

/** Calls `wake` once after `ms`, unless the returned function is called before. */
export type Alarm = (wake: () => void, ms: number) => () => void

export const systemAlarm: Alarm = (wake, ms) => {
  const timer = setTimeout(wake, ms)
  return () => clearTimeout(timer)
}
