/** Public databases of papers, vulnerabilities and recalls. */
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'

const ENTRY = `<entry><id>http://arxiv.org/abs/2611.00001v1</id><published>2026-11-01T00:00:00Z</published><title>A simulated preprint</title><summary>${SIMULATED}</summary><author><name>Simulated Author</name></author></entry>`
export const arxiv = openData({
  'GET /query': (request) =>
    text(
      `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults>1</opensearch:totalResults>${isMiss(request, 'arxiv') ? '' : ENTRY}</feed>`,
      'application/atom+xml',
    ),
})

export const pubmed = openData({
  'GET /esearch.fcgi': (request) =>
    json({ esearchresult: { count: '1', idlist: isMiss(request, 'pubmed') ? [] : ['1', '2'] } }),
  'GET /esummary.fcgi': ({ query }) => {
    const uids = (query.get('id') ?? '').split(',')
    return json({
      result: {
        uids,
        ...Object.fromEntries(
          uids.map((uid) => [
            uid,
            {
              uid,
              title: `Simulated paper ${uid}`,
              source: 'Simulated J',
              pubdate: '2026 Nov',
              articleids: [],
            },
          ]),
        ),
      },
    })
  },
})

export const crossref = openData({
  'GET /works': (request) =>
    json({
      status: 'ok',
      'message-type': 'work-list',
      message: {
        'total-results': 1,
        items: isMiss(request, 'crossref')
          ? []
          : [
              {
                DOI: '10.5555/simulated',
                title: ['A simulated work'],
                'container-title': ['Simulated Journal'],
                issued: { 'date-parts': [[2026, 11]] },
              },
            ],
      },
    }),
})

export const semanticscholar = openData({
  'GET /paper/search': (request) =>
    json(
      isMiss(request, 'semanticscholar')
        ? { total: 0, offset: 0 }
        : {
            total: 1,
            offset: 0,
            data: [
              {
                paperId: 'simulated',
                title: 'A simulated paper',
                abstract: SIMULATED,
                year: 2026,
                citationCount: 3,
              },
            ],
          },
    ),
})

export const nhtsa = openData({
  'GET /recalls/recallsByVehicle': (request) => {
    const results = isMiss(request, 'nhtsa')
      ? []
      : [
          {
            Manufacturer: 'Simulated Motors',
            NHTSACampaignNumber: '26V000000',
            Component: 'FUEL SYSTEM',
            Summary: SIMULATED,
          },
        ]
    return json({ Count: results.length, Message: 'Results returned successfully', results })
  },
})

export const nvd = openData(
  {
    'GET /cves/2.0': (request) => {
      const id = request.query.get('cveId') ?? 'CVE-2026-0001'
      const vulnerabilities = isMiss(request, 'nvd')
        ? []
        : [
            {
              cve: {
                id,
                descriptions: [{ lang: 'en', value: SIMULATED }],
                metrics: {},
                weaknesses: [],
                references: [],
              },
            },
          ]
      return json({
        resultsPerPage: vulnerabilities.length,
        startIndex: 0,
        totalResults: vulnerabilities.length,
        format: 'NVD_CVE',
        version: '2.0',
        vulnerabilities,
      })
    },
  },
  (status) => ({
    status,
    text: '',
    headers: { message: `Simulated failure with status ${status}.` },
  }),
)

export const cisa = openData({
  'GET /sites/default/files/feeds/known_exploited_vulnerabilities.json': () =>
    json({
      title: 'Simulated catalogue',
      count: 2,
      vulnerabilities: [
        {
          cveID: 'CVE-2021-44228',
          vendorProject: 'Apache',
          product: 'Log4j2',
          vulnerabilityName: 'Simulated',
          shortDescription: SIMULATED,
        },
        {
          cveID: 'CVE-2026-0001',
          vendorProject: 'Example',
          product: 'Thing',
          vulnerabilityName: 'Simulated',
          shortDescription: SIMULATED,
        },
      ],
    }),
})

export const osv = openData(
  {
    'POST /query': (request) =>
      json(
        isMiss(request, 'osv')
          ? {}
          : { vulns: [{ id: 'GHSA-p6mc-m468-83gw', summary: SIMULATED, affected: [] }] },
      ),
    'GET /vulns/:id': (_, { id = '' }) =>
      id === 'GHSA-0'
        ? json({ code: 5, message: 'Bug not found (simulated).' }, 404)
        : json({ id, summary: SIMULATED, affected: [] }),
  },
  (status) => json({ code: 3, message: `Simulated failure with status ${status}.` }, status),
)
