/** GDELT: GET /doc/doc without a credential. */
import { shortHash } from '../../simulators/content.ts'
import { isMiss, json, openData, SIMULATED, text } from '../../simulators/open-data.ts'
import { countOf } from '../../simulators/routed.ts'

const globalnews = openData(
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

export const simulators = { globalnews }
