/** Wikipedia, without a credential. The first part of the path is the language. */
import { pageFor, toMarkdown } from '../../simulators/content.ts'
import { isMiss, json, openData, SIMULATED } from '../../simulators/open-data.ts'

const encyclopedia = openData({
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

export const simulators = { encyclopedia }
