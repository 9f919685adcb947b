/** The Internet Archive: captures and their list, without a credential. */
import { pageFor, shortHash, toHtml } from '../../simulators/content.ts'
import { isMiss, json, openData, text } from '../../simulators/open-data.ts'

const CAPTURE = '20250101000000'

const webarchive = openData(
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
  // A time without its own capture redirects to the nearest one.
  if (!/^[0-9]{14}id_$/.test(capture))
    return {
      status: 302,
      headers: {
        location: `/webarchive${path.replace(/^\/web\/[0-9]+id_/, `/web/${CAPTURE}id_`)}`,
      },
    }
  return text(toHtml(pageFor(url)), 'text/html; charset=utf-8')
}

export const simulators = { webarchive }
