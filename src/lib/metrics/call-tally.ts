import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../errors/catalog.ts'
import type { Micros } from '../money.ts'
import type { Mode } from '../mode.ts'

/** How a call ended: `ok`, or its error code. */
export type EndCode = ErrorCode | 'ok'

/** Results of the calls of one service. The catalog bounds the names. */
export type ServiceTally = {
  /** By lane. */
  readonly lanes: ReadonlyMap<string, ReadonlyMap<EndCode, Count>>
  readonly jobs: ReadonlyMap<string, Count>
  readonly durations: Durations
  readonly charged: Micros
}

export type Count = { readonly count: number }
export type Durations = {
  readonly sumMs: number
  readonly count: number
  /** How many calls took at most the bound at the same index, and longer than the one before it. */ readonly buckets: readonly number[]
}

/** From a rejection within the gateway to a rendered page and the longest calls. */
export const DURATION_BOUNDS_MS = [5, 25, 100, 500, 2_500, 10_000, 60_000] as const

/** The lane of a call that was rejected before it had one. */
export const NO_LANE = 'none'

// Series that start at zero, because a counter shows an increase only after a first value, and
// operators should be alerted to the first of these errors.
const FORESEEN: readonly EndCode[] = [
  'ok',
  ...(Object.entries(errorCatalog) as [ErrorCode, ErrorSpec][])
    .filter(([, { fault }]) => fault === 'operator')
    .map(([code]) => code),
]

type OpenCount = { count: number }
type OpenTally = {
  readonly lanes: Map<string, Map<EndCode, OpenCount>>
  readonly jobs: Map<string, OpenCount>
  readonly durations: { sumMs: number; count: number; readonly buckets: number[] }
  charged: Micros
}

/**
 * Counts the calls of this process for /metrics. Every call is counted before its response, so this
 * uses plain numbers in maps and builds text only for a scrape.
 */
export class CallTally {
  readonly #modes: Readonly<Record<Mode, Map<string, OpenTally>>> = {
    live: new Map(),
    test: new Map(),
  }

  /** Announces a lane that calls may use, so that its error series start at zero. */
  foresee(mode: Mode, service: string, lane: string): void {
    this.#codesOf(mode, service, lane)
  }

  called(mode: Mode, service: string, lane: string, code: EndCode, ms: number): void {
    const { durations } = this.#of(mode, service)
    increment(this.#codesOf(mode, service, lane), code)
    durations.count += 1
    durations.sumMs += ms
    const place = DURATION_BOUNDS_MS.findIndex((bound) => ms <= bound)
    if (place !== -1) durations.buckets[place] = (durations.buckets[place] ?? 0) + 1
  }

  /** Call it after the charge is recorded in the ledger. */
  charged(mode: Mode, service: string, amount: Micros): void {
    this.#of(mode, service).charged += amount
  }

  jobEnded(mode: Mode, service: string, code: string): void {
    increment(this.#of(mode, service).jobs, code)
  }

  *services(): Generator<{
    readonly mode: Mode
    readonly service: string
    readonly tally: ServiceTally
  }> {
    for (const mode of ['live', 'test'] as const)
      for (const [service, tally] of this.#modes[mode]) yield { mode, service, tally }
  }

  #codesOf(mode: Mode, service: string, lane: string): Map<EndCode, OpenCount> {
    const { lanes } = this.#of(mode, service)
    const known = lanes.get(lane)
    if (known !== undefined) return known
    const codes = new Map(
      (lane === NO_LANE ? [] : FORESEEN).map((one) => [one, { count: 0 }] as const),
    )
    lanes.set(lane, codes)
    return codes
  }

  #of(mode: Mode, service: string): OpenTally {
    const known = this.#modes[mode].get(service)
    if (known !== undefined) return known
    const tally: OpenTally = {
      lanes: new Map(),
      jobs: new Map(),
      durations: { sumMs: 0, count: 0, buckets: DURATION_BOUNDS_MS.map(() => 0) },
      charged: 0n,
    }
    this.#modes[mode].set(service, tally)
    return tally
  }
}

function increment<Code>(counts: Map<Code, OpenCount>, code: Code): void {
  const known = counts.get(code)
  if (known === undefined) counts.set(code, { count: 1 })
  else known.count += 1
}
