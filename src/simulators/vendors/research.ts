/** GDELT, OpenAlex and the patent office's Open Data Portal. */
import { shortHash } from '../content.ts'
import { isMiss, json, keyedData, openData, SIMULATED, text } from '../open-data.ts'
import { countOf } from '../routed.ts'
import type { SimulatedRequest } from '../vendor.ts'

export const globalnews = openData(
  {
    'GET /doc/doc': (request) => {
      const { query } = request
      if ((query.get('query') ?? '').length < 3)
        return text('The specified phrase is too short. (simulated)\n', 'text/html; charset=utf-8')
      if (isMiss(request, 'globalnews')) return json({})
      const mode = query.get('mode') ?? ''
      if (mode !== 'artlist')
        return json({
          query_details: { title: query.get('query') },
          timeline: [
            {
              series: mode,
              data: [
                { date: '20261119T000000Z', value: 1.5 },
                { date: '20261120T000000Z', value: 2 },
              ],
            },
          ],
        })
      const articles = Array.from(
        { length: Math.min(countOf(query.get('maxrecords'), 75), 5) },
        (_, index) => ({
          url: `https://news.example.com/${shortHash(`${query.get('query')} ${index}`)}`,
          url_mobile: '',
          title: `${SIMULATED} Article ${index + 1}`,
          seendate: '20261120T100000Z',
          socialimage: '',
          domain: 'news.example.com',
          language: 'English',
          sourcecountry: 'United States',
        }),
      )
      return json({ articles })
    },
  },
  (status) => text(`Simulated failure with status ${status}.`, 'text/plain', status),
)

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

export const scholar = openData(
  {
    'GET /works': (request) =>
      request.query.get('filter')?.startsWith('invalidSetting') === true
        ? json(
            {
              error: 'Invalid query parameters error.',
              message: 'invalidSetting is not a valid field. (simulated)',
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

export const patents = keyedData(
  { header: 'x-api-key' },
  {
    'GET /patent/applications/search': (request) => {
      if (isMiss(request, 'patents'))
        return json(
          {
            code: '404',
            error: 'Not Found',
            errorDetails: 'No matching records found. (simulated)',
          },
          404,
        )
      const applicationMetaData = {
        inventionTitle: 'Simulated lidar',
        patentNumber: '11000001',
        filingDate: '2019-05-01',
        grantDate: '2021-05-11',
        firstApplicantName: 'Example Robotics Inc.',
        applicantBag: [{ applicantNameText: 'Example Robotics Inc.' }],
      }
      const assignmentBag = [
        { assigneeBag: [{ assigneeNameText: 'EXAMPLE ROBOTICS HOLDINGS LLC' }] },
      ]
      return json({
        count: 1,
        patentFileWrapperDataBag: [
          { applicationNumberText: '16000001', applicationMetaData, assignmentBag },
        ],
        requestIdentifier: 'simulated',
      })
    },
  },
  (status) =>
    json(
      {
        code: String(status),
        error: 'Simulated',
        message: `Simulated failure with status ${status}.`,
      },
      status,
    ),
)
