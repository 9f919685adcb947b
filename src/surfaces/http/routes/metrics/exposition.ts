import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { CallTally } from '../../../../lib/metrics/call-tally.ts'
import type { Reading, Sample } from '../../../../lib/reading.ts'
import { DurationHistogram } from './duration-histogram.ts'
import { callReadings } from './call-readings.ts'

export type Exposition = { readonly contentType: string; write(): Promise<string> }

/** Sums of gauges by type, named like counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Creates the figures in the text format of Prometheus, with those of the process. They are read on every scrape. */
export function createExposition(tally: CallTally, readings: readonly Reading[]): Exposition {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  for (const reading of [...callReadings(tally), ...readings])
    registry.registerMetric(metricOf(reading))
  registry.registerMetric(new DurationHistogram(tally))
  return { contentType: registry.contentType, write: () => registry.metrics() }
}

function metricOf({ name, help, kind, labels = [], read }: Reading): Counter | Gauge {
  const settings = { name, help, labelNames: labels, registers: [] }
  if (kind === 'counter')
    return new Counter({
      ...settings,
      collect: collectBy((counter: Counter, { labels: own = {}, value }) =>
        counter.inc(own, value),
      ),
    })
  return new Gauge({
    ...settings,
    collect: collectBy((gauge: Gauge, { labels: own = {}, value }) => gauge.set(own, value)),
  })

  function collectBy<Metric extends Counter | Gauge>(
    put: (metric: Metric, sample: Sample) => void,
  ) {
    return async function collect(this: Metric): Promise<void> {
      const samples = await read()
      this.reset()
      // Omits unavailable figures, because a zero would be wrong.
      if (samples.length === 0 && labels.length === 0) this.remove({})
      for (const sample of samples) put(this, sample)
    }
  }
}
