/** OpenAlex: GET /works, /works/{id} and /authors, without a credential. */
import { isMiss, json, openData } from '../../simulators/open-data.ts'
import { countOf } from '../../simulators/routed.ts'
import type { SimulatedRequest } from '../../simulators/vendor.ts'

const WORK = {
  id: 'https://openalex.org/W2741809807',
  doi: 'https://doi.org/10.7717/peerj.4375',
  display_name: 'A simulated work',
  publication_year: 2024,
  cited_by_count: 12,
  abstract_inverted_index: { Simulated: [0], abstract: [1], of: [2], a: [3], work: [4] },
}

function listed(request: SimulatedRequest, item: object) {
  const results = isMiss(request, 'scholar') ? [] : [item]
  return json({
    meta: {
      count: results.length,
      page: 1,
      per_page: countOf(request.query.get('per_page'), 25),
      next_cursor: null,
    },
    results,
  })
}

const scholar = openData(
  {
    'GET /works': (request) =>
      request.query.get('filter')?.startsWith('nonsense') === true
        ? json(
            {
              error: 'Invalid query parameters error.',
              message: 'nonsense is not a valid field. (simulated)',
            },
            403,
          )
        : listed(request, WORK),
    'GET /works/:id': (_, { id = '' }) =>
      id === 'W404'
        ? json({ error: 'Not Found' }, 404)
        : json({ ...WORK, id: `https://openalex.org/${id}` }),
    'GET /works/:scheme/:rest': (_, { scheme = '', rest = '' }) =>
      json({ ...WORK, doi: `https://doi.org/${scheme.replace('doi:', '')}/${rest}` }),
    'GET /authors': (request) =>
      listed(request, {
        id: 'https://openalex.org/A1',
        orcid: null,
        display_name: 'Simulated Author',
        works_count: 12,
        cited_by_count: 345,
        last_known_institutions: [],
      }),
  },
  (status) =>
    json({ error: 'Simulated', message: `Simulated failure with status ${status}.` }, status),
)

export const simulators = { scholar }
