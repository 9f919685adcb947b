/** Why a call may not go: at the vendor's limits, all of today's requests made, or left alone after failures. */
export type TurnRefusal = { readonly reason: 'limit' | 'day' | 'failing'; readonly waitMs: number }

/** Leave to send one request, or why not. */
export type Turn = {
  readonly refusal: TurnRefusal | null
  /** Names the place among the requests at once, for vendors that limit them; given back when the request is over. */
  readonly busyUntilMs: number | null
  /** Tries a vendor that is being left alone. */
  readonly isProbe: boolean
}

export const FREE_TURN: Turn = { refusal: null, busyUntilMs: null, isProbe: false }

export function refusedTurn(reason: TurnRefusal['reason'], waitMs: number): Turn {
  return { refusal: { reason, waitMs }, busyUntilMs: null, isProbe: false }
}

/** What a call may still wait for. A `Deadline` is one. */
export type Patience = { readonly leftMs: number; readonly isOver: boolean }

/** Wakes once after `ms`, unless what it returns is called before. */
export type Alarm = (wake: () => void, ms: number) => () => void

export const systemAlarm: Alarm = (wake, ms) => {
  const timer = setTimeout(wake, ms)
  return () => clearTimeout(timer)
}
