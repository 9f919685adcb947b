import {
  Histogram,
  type MetricObjectWithValues,
  type MetricType,
  type MetricValueWithName,
} from 'prom-client'
import {
  DURATION_BOUNDS_MS,
  type CallTally,
  type Durations,
} from '../../../../lib/metrics/call-tally.ts'

type Labels = { readonly service: string; readonly mode: string }
type Value = MetricValueWithName<keyof Labels>

const NAME = 'tollgate_call_duration_seconds'
const HELP = 'Duration of calls, including the vendor, by service and mode.'

/** Durations of calls. Unlike the base class it never observes single calls; counts come from the tally. */
export class DurationHistogram extends Histogram<keyof Labels> {
  readonly #tally: CallTally

  constructor(tally: CallTally) {
    super({ name: NAME, help: HELP, registers: [] })
    this.#tally = tally
  }

  override async get(): Promise<MetricObjectWithValues<Value>> {
    const values = [...this.#tally.services()]
      .filter(({ tally }) => tally.durations.count > 0)
      .flatMap(({ service, mode, tally }) => valuesOf({ service, mode }, tally.durations))
    // The library's declaration types this name as a number.
    return {
      name: NAME,
      help: HELP,
      type: 'histogram' as unknown as MetricType,
      aggregator: 'sum',
      collect: () => undefined,
      values,
    }
  }

  /** The registry calls this instead of `get`. */
  getForPromString(): Promise<MetricObjectWithValues<Value>> {
    return this.get()
  }
}

function valuesOf(labels: Labels, { buckets, count, sumMs }: Durations): Value[] {
  const counts = DURATION_BOUNDS_MS.map((bound, place) => ({
    le: bound / 1000,
    below: buckets.slice(0, place + 1).reduce((sum, one) => sum + one, 0),
  }))
  return [
    ...[...counts, { le: '+Inf', below: count }].map(({ le, below }) => ({
      metricName: `${NAME}_bucket`,
      labels: { ...labels, le },
      value: below,
    })),
    { metricName: `${NAME}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
