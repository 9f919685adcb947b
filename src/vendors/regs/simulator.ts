/** GovLaws: POST /search and GET /resolve with a bearer key. eCFR needs no key. */
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'
import { merchant } from '../../simulators/record-merchant.ts'

const regs = merchant({
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

const ecfr = openData({
  'GET /api/search/v1/results': (request) => {
    const row = {
      starts_on: '2020-01-01',
      ends_on: null,
      type: 'Section',
      hierarchy: { title: '12', chapter: 'X', part: '1026', section: '1026.43' },
      headings: {
        part: 'Truth in Lending',
        section: 'Minimum standards for <strong>simulated</strong> loans',
      },
      full_text_excerpt: `<span>${SIMULATED}</span>`,
      score: 9.5,
    }
    const results = isMiss(request, 'ecfr') ? [] : [row, { ...row, ends_on: '2021-01-01' }]
    return json({ results, meta: { current_page: 1, total_count: results.length } })
  },
  'GET /api/versioner/v1/titles.json': () =>
    json({
      titles: [
        { number: 12, name: 'Banks and Banking', up_to_date_as_of: '2026-11-18', reserved: false },
      ],
    }),
  'GET /api/versioner/v1/full/:date/:file': ({ query }) => {
    const section = query.get('section') ?? `${query.get('part')}.1`
    if (section === '9999.1') return json({ error: 'Not found (simulated)' }, 404)
    return text(
      `<?xml version="1.0"?>\n<DIV8 N="${section}" TYPE="SECTION">\n<HEAD>§ ${section} Minimum standards.</HEAD>\n<P>(a) ${SIMULATED}</P>\n<P>(b) Loans &amp; terms.</P>\n</DIV8>`,
      'application/xml',
    )
  },
})

export const simulators = { regs, ecfr }
