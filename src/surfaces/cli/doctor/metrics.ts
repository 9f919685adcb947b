import type { Config } from '../../../app/settings/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Whether a Prometheus can watch this gateway. */
export function checkMetrics({
  metricsToken,
  publicUrl,
}: Pick<Config, 'metricsToken' | 'publicUrl'>): Check {
  const name = 'metrics'
  if (metricsToken === null)
    return missing(
      name,
      'not set up: ./tollgate report alone tells how it goes',
      'Set METRICS_TOKEN (docs/operating.md).',
    )
  return ok(name, `${publicUrl}/metrics, to whoever sends METRICS_TOKEN`)
}
