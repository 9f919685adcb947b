/** Courts, nonprofits and the Federal Register, as their public APIs answer. */
import { isMiss, json, openData, SIMULATED } from '../open-data.ts'

export const courts = openData(
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

export const nonprofit = openData({
  'GET /search.json': (request) => {
    const organizations = isMiss(request, 'nonprofit')
      ? []
      : [
          {
            ein: 142007220,
            strein: '14-2007220',
            name: 'Simulated Food Bank',
            sub_name: SIMULATED,
            city: 'Exampleville',
            state: request.query.get('state[id]') ?? 'NY',
            ntee_code: 'K31',
            score: 12.3,
          },
        ]
    const body = {
      total_results: organizations.length,
      num_pages: 1,
      cur_page: Number(request.query.get('page')),
      page_offset: 0,
      per_page: 25,
      organizations,
      search_query: request.query.get('q'),
    }
    return json(body, organizations.length === 0 ? 404 : 200)
  },
  'GET /organizations/:file': (_, { file = '' }) => {
    const ein = Number(file.replace(/\.json$/, ''))
    if (ein < 1_000_000) return json({ status: 404, error: 'not found' }, 404)
    const filing = {
      tax_prd: 202412,
      tax_prd_yr: 2024,
      formtype: 0,
      pdf_url: null,
      totrevenue: 1_250_000,
      totfuncexpns: 1_100_000,
      totassetsend: 900_000,
      totliabend: 50_000,
    }
    return json({
      organization: {
        ein,
        name: 'Simulated Food Bank',
        address: '1 Example Street',
        city: 'Exampleville',
        state: 'NY',
        ntee_code: 'K31',
        careofname: SIMULATED,
      },
      filings_with_data: [filing],
      filings_without_data: [],
      api_version: 2,
    })
  },
})

const rule = {
  title: 'Simulated Rule on Drinking Water',
  type: 'Rule',
  abstract: SIMULATED,
  document_number: '2024-12345',
  publication_date: '2026-02-03',
  agencies: [
    { name: 'Environmental Protection Agency', slug: 'environmental-protection-agency', id: 145 },
  ],
}

export const fedrules = openData(
  {
    'GET /documents.json': (request) => {
      if (request.query.get('conditions[agencies][]') === 'no-such-agency')
        return json({ errors: { agencies: 'no-such-agency is not a valid agency' } }, 400)
      return json(
        isMiss(request, 'fedrules')
          ? { count: 0, description: 'Documents' }
          : { count: 1, description: 'Documents', total_pages: 1, results: [rule] },
      )
    },
    'GET /documents/:file': (_, { file = '' }) => {
      const number = file.replace(/\.json$/, '')
      return number === '0000-00000'
        ? json({ status: 404, message: 'Record Not Found' }, 404)
        : json({
            ...rule,
            document_number: number,
            action: 'Final rule.',
            effective_on: '2026-04-01',
            citation: '91 FR 1234',
            cfr_references: [{ title: 40, part: 141 }],
            raw_text_url: `https://www.federalregister.gov/documents/full_text/text/${number}.txt`,
          })
    },
  },
  (status) => json({ status, message: `Simulated failure with status ${status}.` }, status),
)
