import type { Micros } from '../../lib/money.ts'
import type { CallRing, RingCall } from './call-ring.ts'

/** A repetition that a rule found. */
export type Loop = {
  readonly code: 'repeated_call' | 'fruitless_calls' | 'steep_spending'
  /** The number of calls that it consists of, and the first of them. */
  readonly seen: number
  readonly sinceMs: number
  readonly spent: Micros
  /** One sentence about the finding. */
  readonly text: string
}

const MINUTE_MS = 60_000
// A monitor that asks the same every few minutes is legitimate.
const SAME_WITHIN_MS = 10 * MINUTE_MS
const SAME_CALLS = 5
// Twice as many, so that two calls which alternate are found too.
const SAME_AMONG = 2 * SAME_CALLS
const FRUITLESS_WITHIN_MS = 60 * MINUTE_MS
/** No rule looks back longer. */
export const LONGEST_RULE_MS = FRUITLESS_WITHIN_MS
const FRUITLESS_CALLS = 12

/**
 * Five of the last ten calls within ten minutes had the same request, outcome and answer as the call
 * `back` places before the newest. Null if they did not.
 */
export function findRepeated(calls: CallRing, back: number, nowMs: number): Loop | null {
  const newest = calls.at(back)
  const found = new Found()
  for (let place = 0; place < Math.min(SAME_AMONG, calls.size); place += 1) {
    const call = calls.at(place)
    if (nowMs - call.atMs > SAME_WITHIN_MS) break
    if (isSame(call, newest)) found.add(call)
  }
  if (found.seen < SAME_CALLS) return null
  return found.loop('repeated_call', `The same call gave the same answer ${found.seen} times.`)
}

// The first call of a kind is stored without its answer, because most calls are never repeated.
function isSame(call: RingCall, newest: RingCall): boolean {
  return (
    call.request === newest.request &&
    call.outcome === newest.outcome &&
    (call.answer === newest.answer || call.answer === 0 || newest.answer === 0)
  )
}

/**
 * The last twelve calls of an action within an hour all found nothing or failed. `isAdvice` counts
 * outages, too; otherwise they are skipped. Null if one of them delivered.
 */
export function findFruitless(
  calls: CallRing,
  { action, name, isAdvice }: { action: number; name: string; isAdvice: boolean },
  nowMs: number,
): Loop | null {
  const found = new Found()
  for (
    let place = calls.findAction(action);
    place >= 0 && found.seen < FRUITLESS_CALLS;
    place = calls.findAction(action, place + 1)
  ) {
    const call = calls.at(place)
    if (call.outcome === 'ok' || nowMs - call.atMs > FRUITLESS_WITHIN_MS) return null
    if (isAdvice || call.outcome !== 'outage') found.add(call)
  }
  return found.seen < FRUITLESS_CALLS
    ? null
    : found.loop(
        'fruitless_calls',
        `The last ${FRUITLESS_CALLS} calls of ${name} found nothing or failed.`,
      )
}

class Found {
  seen = 0
  #sinceMs = 0
  #spent = 0

  add({ cost, atMs }: RingCall): void {
    this.seen += 1
    this.#spent += cost
    this.#sinceMs = atMs
  }

  loop(code: Loop['code'], text: string): Loop {
    return { code, seen: this.seen, sinceMs: this.#sinceMs, spent: BigInt(this.#spent), text }
  }
}
