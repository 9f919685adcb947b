/**
 * ProPublica's Nonprofit Explorer: GET /search.json and /organizations/{ein}.json, without a
 * credential.
 */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'

const nonprofit = openData({
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

export const simulators = { nonprofit }
