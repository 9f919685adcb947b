/** Wikidata: search, entities and SPARQL, without a credential. */
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'

const entitygraph = openData(
  {
    'GET /w/api.php': (request) => {
      const label = request.query.get('search') ?? ''
      return json({
        search: isMiss(request, 'entitygraph')
          ? []
          : [
              {
                id: 'Q1',
                label,
                description: SIMULATED,
                concepturi: 'http://www.wikidata.org/entity/Q1',
                match: { type: 'label', language: 'en', text: label },
              },
            ],
        success: 1,
      })
    },
    'GET /wiki/Special:EntityData/:file': (_, { file = '' }) => {
      const id = file.replace(/\.json$/, '')
      if (id === 'Q404') return text('Not Found', 'text/html', 404)
      return json({
        entities: {
          [id]: {
            id,
            type: 'item',
            labels: { en: { language: 'en', value: `Simulated item ${id}` } },
            descriptions: { en: { language: 'en', value: SIMULATED } },
            aliases: {},
            claims: {},
            sitelinks: {},
          },
        },
      })
    },
    'POST /query/sparql': (request) => {
      const { query = '' } = (request.body ?? {}) as { query?: string }
      if (!/\b(select|ask)\b/i.test(query))
        return text('SPARQL-QUERY: MalformedQueryException (simulated)', 'text/plain', 400)
      if (/\bask\b/i.test(query)) return json({ head: {}, boolean: true })
      const bindings = isMiss(request, 'entitygraph')
        ? []
        : [{ item: { type: 'uri', value: 'http://www.wikidata.org/entity/Q1' } }]
      return json({ head: { vars: ['item'] }, results: { bindings } })
    },
  },
  (status, reason) =>
    reason === 'no_route'
      ? json({ error: 'no such route' }, status)
      : text(`Simulated failure with status ${status}.`, 'text/plain', status),
)

export const simulators = { entitygraph }
