/** Merchants that sell public records per call. */
import { bearerCredential, type SimulatedVendor } from './vendor.ts'
import { isMiss, json, SIMULATED } from './open-data.ts'
import { routed, type RoutedVendor } from './routed.ts'

export function merchant(routes: RoutedVendor['routes']): SimulatedVendor {
  return routed({
    credential: bearerCredential,
    quotaStatus: 402,
    failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
    routes,
  })
}

/** A vendor with invented records: a list at `path`, and each record below it. */
export function records(label: string, path: string, record: object): SimulatedVendor {
  return merchant({
    [`GET ${path}`]: (request) =>
      json({
        data: isMiss(request, label) ? [] : [{ id: `${label}-1`, ...record, note: SIMULATED }],
        next_cursor: null,
      }),
    [`GET ${path}/:id`]: (request, { id }) =>
      isMiss(request, label)
        ? json({ error: 'Not found (simulated).' }, 404)
        : json({ data: { id, ...record, note: SIMULATED } }),
  })
}
