import type { Micros } from '../../lib/money.ts'

/** A paid call as the rules see it. Equal texts of `request` and `answer` mean equal contents. */
export type SeenCall = {
  /** `service/action`. */
  readonly action: string
  /** Stands for the action and its parameters. */
  readonly request: number | string
  readonly outcome: 'ok' | 'empty' | 'failed'
  /** Stands for the answer; null if it was not compared. */
  readonly answer: number | string | null
  readonly cost: Micros
  readonly atMs: number
}

/** Advice for an agent that repeats itself. It never changes what a call costs or returns. */
export type Advice = {
  readonly code: 'repeated_call' | 'fruitless_calls'
  /** The number of calls that the advice is about, and the first of them. */
  readonly seen: number
  readonly sinceMs: number
  readonly spent: Micros
  readonly text: string
}

/** Calls that the rules look back on. */
export const MOST_SEEN = 64

const MINUTE_MS = 60_000
// A monitor that asks the same every few minutes is legitimate.
const SAME_WITHIN_MS = 10 * MINUTE_MS
const SAME_CALLS = 5
// Twice as many, so that two calls which alternate are found too.
const SAME_AMONG = 2 * SAME_CALLS
const FRUITLESS_WITHIN_MS = 60 * MINUTE_MS
const FRUITLESS_CALLS = 12

/**
 * The advice after the newest of `calls`, which are in order of time, or null. Repeated: five of the
 * last ten calls within ten minutes had the same request, outcome and answer. Fruitless: the last
 * twelve calls of one action within an hour all found nothing or failed.
 */
export function adviseOn(calls: readonly SeenCall[]): Advice | null {
  const newest = calls.at(-1)
  return newest === undefined ? null : (repeated(calls, newest) ?? fruitless(calls, newest))
}

function repeated(calls: readonly SeenCall[], newest: SeenCall): Advice | null {
  const same = calls
    .slice(-SAME_AMONG)
    .filter((call) => isSame(call, newest) && newest.atMs - call.atMs <= SAME_WITHIN_MS)
  if (same.length < SAME_CALLS) return null
  return advice(
    'repeated_call',
    same,
    `The same call gave the same answer ${same.length} times. Use that answer, or change the call.`,
  )
}

// The first call of a kind is stored without its answer, because most calls are never repeated.
function isSame(call: SeenCall, newest: SeenCall): boolean {
  return (
    call.request === newest.request &&
    call.outcome === newest.outcome &&
    (call.answer === newest.answer || call.answer === null)
  )
}

function fruitless(calls: readonly SeenCall[], newest: SeenCall): Advice | null {
  const last = calls.filter(({ action }) => action === newest.action).slice(-FRUITLESS_CALLS)
  const isFruitless =
    last.length === FRUITLESS_CALLS &&
    last.every(({ outcome, atMs }) => outcome !== 'ok' && newest.atMs - atMs <= FRUITLESS_WITHIN_MS)
  return isFruitless
    ? advice(
        'fruitless_calls',
        last,
        `The last ${FRUITLESS_CALLS} calls of ${newest.action} found nothing or failed. Try another approach, or stop.`,
      )
    : null
}

function advice(code: Advice['code'], calls: readonly SeenCall[], text: string): Advice {
  return {
    code,
    seen: calls.length,
    sinceMs: calls[0]?.atMs ?? 0,
    spent: calls.reduce((sum, { cost }) => sum + cost, 0n),
    text,
  }
}
