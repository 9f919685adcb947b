/** Merchants that are paid per call: GovLaws, Apex DB, RxAtlas, TrialBase DB and RecallRadar. */
import { bearerCredential, type SimulatedVendor } from '../vendor.ts'
import { isMiss, json, SIMULATED } from '../open-data.ts'
import { routed, type RoutedVendor } from '../routed.ts'

function merchant(routes: RoutedVendor['routes']): SimulatedVendor {
  return routed({
    credential: bearerCredential,
    quotaStatus: 402,
    failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
    routes,
  })
}

/** A table of made-up records: a list at `path`, one of them below it. */
function records(label: string, path: string, record: object): SimulatedVendor {
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

export const vehicles = records('vehicles', '/apex', {
  brand: 'Toyota',
  model: 'Camry',
  model_year: 2020,
})
export const drugs = records('drugs', '/drugs', { name: 'Simulated ibuprofen', ndc: '0002-1433' })
export const trials = records('trials', '/trials', {
  nct_id: 'NCT00000001',
  title: 'A simulated trial',
})
export const recalls = records('recalls', '/recalls', { title: 'Simulated strollers recalled' })

export const regs = merchant({
  'POST /search': (request) => {
    const { query = '' } = (request.body ?? {}) as { query?: string }
    const results = isMiss(request, 'regs')
      ? []
      : [
          {
            citation: '12 CFR 1026.43',
            title: 'Minimum standards (simulated)',
            score: 0.9,
            snippet: SIMULATED,
            url: 'https://www.ecfr.gov/current/title-12/section-1026.43',
          },
        ]
    return json({ results, query, corpus: 'regulations', total: results.length, provenance: {} })
  },
  'GET /resolve': (request) => {
    const citation = request.query.get('citation') ?? ''
    if (isMiss(request, 'regs')) return json({ error: 'Citation not found (simulated).' }, 404)
    return json({
      citation,
      title: 'Minimum standards (simulated)',
      text: SIMULATED,
      agency: null,
      source: {
        system: 'ecfr',
        url: 'https://www.ecfr.gov/',
        retrieved_at: '2026-11-20T00:00:00Z',
      },
      provenance: {},
    })
  },
})
