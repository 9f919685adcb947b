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
const HELP = 'How long calls took in the gateway, their vendor included, by service and mode.'

/** How long calls took. The calls were counted already, so unlike its parent it is told of no single one. */
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
    // The declaration of the library takes the name of the type for a number.
    return {
      name: NAME,
      help: HELP,
      type: 'histogram' as unknown as MetricType,
      aggregator: 'sum',
      collect: () => undefined,
      values,
    }
  }

  /** The registry asks for this in place of `get`. */
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
