/**
 * ScrapingAnt's API: GET /general, /markdown and /extract with the header x-api-key. The answer of
 * /general is the page itself.
 */
import { headerCredential, routed } from '../../simulators/routed.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedVendor } from '../../simulators/vendor.ts'
import { scrapePage } from '../../simulators/scraped-page.ts'

const proxy: SimulatedVendor = routed({
  credential: headerCredential('x-api-key'),
  // The vendor returns 403 for a wrong key and for used-up credit.
  quotaStatus: 403,
  failure: (status, reason) => ({
    status,
    json: {
      detail:
        reason === 'quota'
          ? 'Your API credits limit is reached.'
          : reason === 'credentials'
            ? 'Wrong API token.'
            : `Simulated failure with status ${status}.`,
    },
  }),
  routes: { 'GET /general': read, 'GET /markdown': read, 'GET /extract': read },
})

function read({ path, query }: SimulatedRequest): SimulatedReply {
  const url = query.get('url') ?? ''
  const timeout = Number(query.get('timeout') ?? 60)
  if (url === '' || timeout < 5 || timeout > 60) return proxy.failure(422, 'fault')
  const { fault, statusCode, title, content } = scrapePage(
    url,
    'proxy',
    ['markdown', 'rawHtml'],
    false,
  )
  if (fault?.kind === 'miss') return proxy.failure(423, 'fault')
  const headers = {
    'ant-credits-cost': query.get('proxy_type') === 'residential' ? '125' : '10',
    'ant-page-status-code': String(statusCode),
  }
  if (path === '/markdown')
    return { status: 200, json: { url, markdown: content['markdown'] }, headers }
  if (path === '/extract')
    return { status: 200, json: extracted(title, query.get('extract_properties') ?? ''), headers }
  return {
    status: 200,
    text: String(content['rawHtml']),
    contentType: 'text/html; charset=utf-8',
    headers,
  }
}

/** A value for each named property, by the type in parentheses. */
function extracted(title: string, properties: string): Record<string, unknown> {
  // Splits first, because a single pattern would take cubic time for a run of spaces.
  const found = properties.split(/,(?![^()]*\))/).map((property) => ({
    name: property.split('(', 1).join('').trim(),
    type: /\((number|list)\b/i.exec(property)?.[1]?.toLowerCase(),
  }))
  const named = found.filter(({ name }) => /^[a-z][\w ]*$/i.test(name))
  return Object.fromEntries(
    named.map(({ name, type }) => [
      camelCase(name),
      type === 'number'
        ? 42
        : type === 'list'
          ? [{ text: `${title}, a simulated entry` }]
          : `${title}: simulated ${name}`,
    ]),
  )
}

function camelCase(name: string): string {
  return name.toLowerCase().replaceAll(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export const simulators = { proxy }
