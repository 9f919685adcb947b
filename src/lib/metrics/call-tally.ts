import { errorCatalog, type ErrorCode, type ErrorSpec } from '../../errors/catalog.ts'
import type { Micros } from '../money.ts'
import type { Mode } from '../mode.ts'

/** How a call ended: `ok`, or the code of its error. */
export type EndCode = ErrorCode | 'ok'

/** What came of the calls of one service. Names are those of the catalog, so there are no more than it has. */
export type ServiceTally = {
  /** By the way that they went. */
  readonly lanes: ReadonlyMap<string, ReadonlyMap<EndCode, Count>>
  readonly jobs: ReadonlyMap<string, Count>
  readonly durations: Durations
  readonly charged: Micros
}

export type Count = { readonly count: number }
export type Durations = {
  readonly sumMs: number
  readonly count: number
  /** How many took at most as long as the bound at the same place, and longer than the one before it. */ readonly buckets: readonly number[]
}

/** From a refusal in the gateway itself to a page that has to be rendered, and the longest calls. */
export const DURATION_BOUNDS_MS = [5, 25, 100, 500, 2_500, 10_000, 60_000] as const

/** In place of the way of a call that was refused before it had one. */
export const NO_LANE = 'none'

// Told as zero before they occur: the first time is an increase only where there was something before, and of these the
// operator is to hear the first time.
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
 * Counts what this process did since it began, for whoever watches it. Every call is counted on its way out, so this is
 * plain numbers in maps: nothing is put into words before somebody asks.
 */
export class CallTally {
  readonly #modes: Readonly<Record<Mode, Map<string, OpenTally>>> = {
    live: new Map(),
    test: new Map(),
  }

  /** Calls may go this way: what the operator is to hear of them the first time is told as zero from now on. */
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

  /** To be told once the charge is in the books. */
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
