import type { Config } from '../../../app/settings/config.ts'
import { missing, ok, type Check } from './check.ts'

/** Reports whether Prometheus can scrape this gateway. */
export function checkMetrics({
  metricsToken,
  publicUrl,
}: Pick<Config, 'metricsToken' | 'publicUrl'>): Check {
  const name = 'metrics'
  if (metricsToken === null)
    return missing(
      name,
      'not set up: only ./tollgate report shows figures',
      'Set METRICS_TOKEN (docs/operating.md).',
    )
  return ok(name, `${publicUrl}/metrics, with METRICS_TOKEN`)
}
