/** CourtListener: GET /search/ without a credential. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'

const courts = openData(
  {
    'GET /search/': (request) => {
      const type = request.query.get('type')
      const opinion = {
        absolute_url: '/opinion/1/simulated-v-example/',
        caseName: 'Simulated v. Example',
        citation: ['1 Sim. 1'],
        citeCount: 7,
        cluster_id: 1,
        court_id: 'scotus',
        dateFiled: '2025-06-01',
        opinions: [{ id: 1, snippet: SIMULATED }],
      }
      const docket = {
        caseName: 'Simulated v. Example',
        court_id: 'cand',
        docketNumber: '3:26-cv-00001',
        docket_id: 1,
        dateFiled: '2026-01-05',
        party: ['Simulated Example Holdings Inc.'],
        recap_documents: [{ id: 1, description: SIMULATED }],
        meta: { more_docs: false },
      }
      const results = isMiss(request, 'courts') ? [] : [type === 'o' ? opinion : docket]
      return json({ count: results.length, next: null, previous: null, results })
    },
  },
  (status) => json({ detail: `Simulated failure with status ${status}.` }, status),
)

export const simulators = { courts }
