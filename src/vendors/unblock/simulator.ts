/**
 * Bright Data's Web Unlocker: POST /request with a zone and a bearer key. A failed page is a 200
 * with the verdict in its headers.
 */
import { routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'
import { scrapePage } from '../../simulators/scraped-page.ts'

const unblock: SimulatedVendor = routed({
  credential: bearerCredential,
  quotaStatus: 400,
  failure: (status, reason) => ({
    status,
    text:
      reason === 'credentials'
        ? 'Invalid token'
        : reason === 'quota'
          ? 'Account is suspended: no balance'
          : `Simulated failure with status ${status}.`,
  }),
  routes: { 'POST /request': unlock },
})

function unlock(request: SimulatedRequest): SimulatedReply {
  const [url] = stringsOf(bodyField(request, 'url'))
  const zone = bodyField(request, 'zone')
  if (typeof zone !== 'string' || zone === '')
    return { status: 400, text: `zone ${String(zone)} not found` }
  if (url === undefined || bodyField(request, 'format') !== 'json')
    return unblock.failure(400, 'fault')
  const format = bodyField(request, 'data_format') === 'markdown' ? 'markdown' : 'rawHtml'
  const { fault, statusCode, content } = scrapePage(url, 'unblock', [format], false)
  if (fault?.kind === 'miss')
    return {
      status: 200,
      json: {
        status_code: 502,
        headers: {
          'x-brd-error': 'No peer got through (simulated)',
          'x-brd-error-code': 'no_peers',
        },
        body: '',
      },
    }
  return {
    status: 200,
    json: {
      status_code: statusCode,
      headers: { 'content-type': 'text/html' },
      body: content[format],
    },
  }
}

export const simulators = { unblock }
