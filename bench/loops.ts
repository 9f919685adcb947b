/**
 * The loop breaker alone: what it adds to a paid call, and its memory with the most keys.
 * Usage: npx node --expose-gc bench/loops.ts
 */
import { createLoopWatch, type LoopWatch, type WatchedKey } from '../src/calls/loops/loop-watch.ts'
import { MOST_CALLS } from '../src/calls/loops/call-ring.ts'
import { newId } from '../src/lib/ids.ts'
import { atMost, checkMust } from './must.ts'

const CALLS = 50_000
const ROUNDS = 7
const KEYS = 50_000
const MIB = 1_048_576
const ANSWER = { results: [{ url: 'https://a.example/' }] }

const keyOf = (breaker: WatchedKey['breaker']): WatchedKey => ({
  keyId: newId(Date.now()),
  breaker,
  limit: 10_000_000n,
})

const inputAt = (place: number): object => ({
  query: `how do group commits make a ledger faster, part ${place}`,
  numResults: 10,
})

/** One paid call: the check before its hold, its charge and its outcome. */
function call(watch: LoopWatch, key: WatchedKey, input: object): void {
  watch.find({ key, action: 'semantic/search', input, confirm: null })
  watch.note({
    key,
    action: 'semantic/search',
    input,
    outcome: 'ok',
    answer: () => ANSWER,
    cost: 20_000n,
  })
  watch.spent(key.keyId, 20_000n)
}

/** Microseconds of CPU for a call: the median of the rounds. */
function measure(breaker: WatchedKey['breaker']): number {
  const watch = createLoopWatch(Date.now)
  const keys = Array.from({ length: 100 }, () => keyOf(breaker))
  const inputs = Array.from({ length: CALLS }, (_, place) => inputAt(place))
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage()
    for (let place = 0; place < CALLS; place += 1)
      call(watch, keys[place % keys.length] as WatchedKey, inputs[place] as object)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / CALLS
  })
  return rounds.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? NaN
}

for (const breaker of ['warn', 'stop'] as const)
  checkMust(atMost(`"${breaker}", different calls`, measure(breaker), 2, ' µs of CPU a call'))

globalThis.gc?.()
const before = process.memoryUsage()
const watch = createLoopWatch(Date.now)
for (let place = 0; place < KEYS; place += 1) {
  const key = keyOf('stop')
  for (let number = 0; number < MOST_CALLS; number += 1) call(watch, key, inputAt(number))
}
globalThis.gc?.()
const after = process.memoryUsage()
const used = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
checkMust(atMost(`${KEYS} keys with ${MOST_CALLS} calls each`, used / MIB, 160, ' MiB'))
// Uses the watch after the measurement, so that it is not collected before.
watch.spent(keyOf('stop').keyId, 1n)
