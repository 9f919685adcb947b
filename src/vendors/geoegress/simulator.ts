/** Oxylabs' realtime API: POST /queries with source "universal" and basic authentication. */
import { json, routed } from '../../simulators/routed.ts'
import {
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'
import { scrapePage } from '../../simulators/scraped-page.ts'

const geoegress: SimulatedVendor = routed({
  credential: ({ headers }) => /^Basic\s+(.+)$/i.exec(headers.authorization ?? '')?.[1],
  quotaStatus: 402,
  failure: (status) => json({ message: `Simulated failure with status ${status}.` }, status),
  routes: { 'POST /queries': query },
})

function query(request: SimulatedRequest): SimulatedReply {
  const [url] = stringsOf(bodyField(request, 'url'))
  if (url === undefined || bodyField(request, 'source') !== 'universal')
    return geoegress.failure(400, 'fault')
  const { fault, statusCode, content } = scrapePage(url, 'geoegress', ['rawHtml'], false)
  const status = fault?.kind === 'miss' ? 613 : statusCode
  const geo = bodyField(request, 'geo_location') ?? null
  const at = '2026-11-20 12:00:00'
  return json({
    results: [
      {
        content: status === 613 ? '' : content['rawHtml'],
        created_at: at,
        updated_at: at,
        page: 1,
        url,
        job_id: '7',
        status_code: status,
        type: 'raw',
      },
    ],
    job: {
      id: '7',
      status: 'done',
      geo_location: geo,
      render: bodyField(request, 'render') ?? null,
    },
  })
}

export const simulators = { geoegress }
