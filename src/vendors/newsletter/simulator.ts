/**
 * DripStack's API. Without a token it returns 402 with the price, with a token it sells the post. A
 * slug with "expensive" costs 2 USD, one with "half" 0.50 USD.
 */
import { toMarkdown, pageFor } from '../../simulators/content.ts'
import { isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json({ error: reason, message: `Simulated failure (${reason}).` }, status)
}

type Parts = Readonly<Record<string, string>>

function priceOf(slug: string): number {
  return slug.includes('expensive') ? 2 : slug.includes('half') ? 0.5 : 0.05
}

function quote(request: SimulatedRequest, { slug = '' }: Parts): SimulatedReply {
  if (isMiss(request, 'newsletter')) return failure(404, 'not_found')
  const amount = String(Math.round(priceOf(slug) * 1_000_000))
  const encoded = (value: unknown, form: 'base64' | 'base64url') =>
    Buffer.from(JSON.stringify(value)).toString(form)
  return {
    ...json({ error: 'payment_required' }, 402),
    headers: {
      'www-authenticate': `Payment id="simulated", realm="dripstack.xyz", method="tempo", intent="charge", request="${encoded({ amount, currency: '0x20' }, 'base64url')}"`,
      'payment-required': encoded(
        { x402Version: 2, accepts: [{ scheme: 'exact', amount }] },
        'base64',
      ),
    },
  }
}

function deliver(_: SimulatedRequest, { publication = '', slug = '' }: Parts): SimulatedReply {
  const url = `https://${publication}/p/${slug}`
  const page = pageFor(url)
  return json({
    id: `simulated-${slug}`,
    publicationSlug: publication,
    slug,
    title: page.title,
    url,
    author: 'Ana Example',
    publishedAt: '2026-05-01T00:00:00Z',
    synthesizedSummary: toMarkdown(page),
    paymentInfo: { amountUsd: priceOf(slug), protocol: 'credits' },
  })
}

const newsletter = routed({
  // The price requires no credential.
  credential: (request) =>
    request.method === 'GET' && request.path !== '/' ? 'anybody' : bearerCredential(request),
  quotaStatus: 402,
  failure,
  routes: {
    'GET /api/v1/publications/:publication/:slug': quote,
    'POST /api/v1/publications/:publication/:slug': deliver,
  },
})

export const simulators = { newsletter }
