import { randomBytes } from 'node:crypto'
import type { Breaker } from '../../keys/policy/breaker.ts'
import { toRfc3339, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import { CallRing, type LoopOutcome } from './call-ring.ts'
import { hashText, hashValue } from './hash-value.ts'
import { findFruitless, findRepeated, LONGEST_RULE_MS, type Loop } from './loop-rules.ts'
import { RecentSpending } from './recent-spending.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** The key that makes a call, and its spending limit. */
export type WatchedKey = {
  readonly keyId: Id
  readonly breaker: Breaker
  /** Null: no limit. */
  readonly limit: Micros | null
}

/** A paid call before its hold. */
export type NextCall = {
  readonly key: WatchedKey
  /** `service/action`. */
  readonly action: string
  /** Undefined: only the spending of the key is checked. */
  readonly input?: unknown
  /** The token that the caller sent as `confirm_loop`. */
  readonly confirm: string | null
}

/** A finished paid call. `answer` is read only when the same request was seen before. */
export type FinishedCall = {
  readonly key: WatchedKey
  readonly action: string
  readonly input: unknown
  readonly outcome: LoopOutcome
  readonly answer: () => unknown
  readonly cost: Micros
}

/** A rejected call: `confirm` lets the next call pass, unless the key is to be paused. */
export type Stop = { readonly count: number } & (
  | { readonly isLast: false; readonly confirm: string }
  | { readonly isLast: true }
)

/** Watches the recent paid calls of each key for repetitions. */
export type LoopWatch = {
  /** Notes a call and returns advice about it, or null. */
  note(call: FinishedCall): Loop | null
  /** Notes a charge of a key, of any kind. */
  spent(keyId: Id, charge: Micros): void
  /** The loop that the call continues; null if it may pass. Only keys with the breaker `stop` are stopped. */
  find(call: NextCall): Loop | null
  /** Counts a rejected call. The last stop forgets the calls of the key, so a resumed key starts with none. */
  stop(keyId: Id): Stop
}

/** The stop that pauses a key. */
export const LAST_STOP = 3

const MOST_KEYS = 50_000
// One piece of advice is enough for the model to read. In between, a busy key costs nothing.
const QUIET_MS = 60_000
const STOPS_WITHIN_MS = 3_600_000
const CONFIRM_BYTES = 9

/** Of a key. Keys that use only the router have spending and no calls. */
type Recent = {
  calls: CallRing | null
  spending: RecentSpending | null
  quietUntilMs: number
  /** Until then a rule may still find a loop. At other times a call need not be checked. */
  suspectUntilMs: number
  stops: number
  stoppedAtMs: number
  confirm: string | null
}

/** A watch in this process: a loop comes over one connection. */
export function createLoopWatch(now: Clock, mostKeys = MOST_KEYS): LoopWatch {
  const keys = new RecentMap<Id, Recent>(mostKeys)

  function recentOf(keyId: Id): Recent {
    const found = keys.get(keyId)
    if (found !== undefined) return found
    const recent: Recent = {
      calls: null,
      spending: null,
      quietUntilMs: 0,
      suspectUntilMs: 0,
      stops: 0,
      stoppedAtMs: 0,
      confirm: null,
    }
    keys.set(keyId, recent)
    return recent
  }

  function findLoop({ key, action, input }: NextCall): Loop | null {
    const recent = keys.get(key.keyId)
    if (recent === undefined) return null
    const nowMs = now()
    const steep = recent.spending?.findSteep(key.limit, nowMs) ?? null
    if (steep !== null || input === undefined) return steep
    const { calls } = recent
    if (calls === null || nowMs >= recent.suspectUntilMs) return null
    const { actionHash, request } = hashesOf(action, input)
    const back = calls.findRequest(request)
    const repeated =
      back < 0 || calls.at(back).outcome === 'outage' ? null : findRepeated(calls, back, nowMs)
    return (
      repeated ?? findFruitless(calls, { action: actionHash, name: action, isAdvice: false }, nowMs)
    )
  }

  return {
    note({ key, action: name, input, answer, outcome, cost }) {
      const atMs = now()
      const recent = recentOf(key.keyId)
      if (key.breaker === 'warn' && atMs < recent.quietUntilMs) return null
      const calls = (recent.calls ??= new CallRing())
      const { actionHash: action, request } = hashesOf(name, input)
      const isKnown = calls.findRequest(request) >= 0
      calls.push({
        action,
        request,
        // 0 is reserved for answers that were not compared.
        answer: isKnown ? hashValue(answer(), VOLATILE) || 1 : 0,
        outcome,
        cost: Number(cost),
        atMs,
      })
      const loop =
        (isKnown ? findRepeated(calls, 0, atMs) : null) ??
        (outcome === 'ok' ? null : findFruitless(calls, { action, name, isAdvice: true }, atMs))
      if (loop !== null) recent.suspectUntilMs = atMs + LONGEST_RULE_MS
      if (atMs < recent.quietUntilMs) return null
      const advice = loop ?? recent.spending?.findSteep(key.limit, atMs) ?? null
      if (advice !== null) recent.quietUntilMs = atMs + QUIET_MS
      return advice
    },
    spent(keyId, charge) {
      if (charge === 0n) return
      const recent = recentOf(keyId)
      recent.spending ??= new RecentSpending()
      recent.spending.add(Number(charge), now())
    },
    find(call) {
      if (call.key.breaker !== 'stop') return null
      const loop = findLoop(call)
      if (loop === null || call.confirm === null) return loop
      const recent = recentOf(call.key.keyId)
      if (recent.confirm !== call.confirm) return loop
      recent.confirm = null
      return null
    },
    stop(keyId) {
      const nowMs = now()
      const recent = recentOf(keyId)
      recent.stops = nowMs - recent.stoppedAtMs > STOPS_WITHIN_MS ? 1 : recent.stops + 1
      recent.stoppedAtMs = nowMs
      const { stops: count } = recent
      if (count >= LAST_STOP) {
        keys.delete(keyId)
        return { count, isLast: true }
      }
      recent.confirm ??= randomBytes(CONFIRM_BYTES).toString('base64url')
      return { count, isLast: false, confirm: recent.confirm }
    },
  }
}

// Differ in every answer of some vendors.
const VOLATILE = /^(request_?id|id|took|latency|search_?time|duration|timestamp|created|cost.*)$/i

function hashesOf(action: string, input: unknown): { actionHash: number; request: number } {
  const actionHash = hashText(action)
  return { actionHash, request: (actionHash ^ hashValue(input)) >>> 0 }
}

const ADVICE = {
  repeated_call: 'Use that answer, or change the call.',
  fruitless_calls: 'Try another approach, or stop.',
  steep_spending: 'Check whether the calls are intended.',
} as const satisfies Record<Loop['code'], string>

/** The advice as a field of an answer. */
export function adviceField({ code, seen, sinceMs, spent, text }: Loop): object {
  return {
    code,
    seen,
    since: toRfc3339(sinceMs),
    spent_micros: Number(spent),
    text: `${text} ${ADVICE[code]}`,
  }
}

/** Advice about a loop, as one sentence. */
export function adviceFor({ code }: Loop): string {
  return ADVICE[code]
}
