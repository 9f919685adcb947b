/** The Federal Register: GET /documents.json and /documents/{number}.json, without a credential. */
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'

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

const fedrules = openData(
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

export const simulators = { fedrules }
