/** The Internet Archive, Wikipedia and Wikidata, as their public APIs answer. */
import { pageFor, shortHash, toHtml, toMarkdown } from '../content.ts'
import { isMiss, json, openData, SIMULATED, text } from '../open-data.ts'

const CAPTURE = '20250101000000'

export const webarchive = openData(
  {
    'GET /cdx/search/cdx': (request) => {
      const url = request.query.get('url') ?? ''
      const rows = isMiss(request, 'webarchive')
        ? []
        : [CAPTURE, '20250601000000'].map((timestamp) => [
            'com,example)/',
            timestamp,
            url,
            'text/html',
            '200',
            shortHash(url + timestamp),
            '1234',
          ])
      return json(
        rows.length === 0
          ? []
          : [
              ['urlkey', 'timestamp', 'original', 'mimetype', 'statuscode', 'digest', 'length'],
              ...rows,
            ],
      )
    },
    'GET /archive/wayback/available': (request) => {
      const url = request.query.get('url') ?? ''
      const closest = {
        available: true,
        url: `http://web.archive.org/web/${CAPTURE}/${url}`,
        timestamp: CAPTURE,
        status: '200',
      }
      return json({ url, archived_snapshots: isMiss(request, 'webarchive') ? {} : { closest } })
    },
    'GET /web/:capture/:scheme//:host/:page*': (
      request,
      { capture = '', scheme = '', host = '', page = '' },
    ) => archived(request.path, capture, `${scheme}//${host}/${page}`),
    'GET /web/:capture/:scheme//:host/': (request, { capture = '', scheme = '', host = '' }) =>
      archived(request.path, capture, `${scheme}//${host}/`),
  },
  (status) =>
    text(`<html><body>Simulated failure with status ${status}.</body></html>`, 'text/html', status),
)

function archived(path: string, capture: string, url: string) {
  if (url.includes('nobody') || url.includes('miss.sim.test'))
    return text('The Wayback Machine has not archived that URL. (simulated)', 'text/html', 404)
  // A moment without a capture of its own leads to the nearest one.
  if (!/^[0-9]{14}id_$/.test(capture))
    return {
      status: 302,
      headers: {
        location: `/webarchive${path.replace(/^\/web\/[0-9]+id_/, `/web/${CAPTURE}id_`)}`,
      },
    }
  return text(toHtml(pageFor(url)), 'text/html; charset=utf-8')
}

export const encyclopedia = openData({
  'GET /:lang/w/rest.php/v1/search/page': (request, { lang = '' }) => {
    const q = request.query.get('q') ?? ''
    const pages = isMiss(request, 'encyclopedia')
      ? []
      : [
          {
            id: 1,
            key: q.replaceAll(' ', '_'),
            title: q,
            excerpt: SIMULATED,
            description: `Simulated article (${lang})`,
            thumbnail: null,
          },
        ]
    return json({ pages })
  },
  'GET /:lang/w/api.php': (request, { lang = '' }) => {
    const title = request.query.get('titles') ?? ''
    const fullurl = `https://${lang}.wikipedia.org/wiki/${encodeURIComponent(title)}`
    const page = isMiss(request, 'encyclopedia')
      ? { ns: 0, title, missing: true }
      : {
          pageid: 1,
          ns: 0,
          title,
          extract: toMarkdown(pageFor(fullurl)),
          fullurl,
          pageprops: { wikibase_item: 'Q1' },
        }
    return json({ batchcomplete: true, query: { pages: [page] } })
  },
})

export const entitygraph = openData(
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
