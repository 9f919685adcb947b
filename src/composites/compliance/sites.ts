/** Checks of websites: availability, redirects, headers, robots.txt and certificates. */
import { webAddressError, parseTypedAddress } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { robotsField } from '../../reader/fetch/robots.ts'
import { readText, type Check, type CheckTools, type SiteAnswer } from './check.ts'
import { requireDomain } from './mail.ts'

const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 10

export function requireUrl(parameters: Data): string {
  const url = parseTypedAddress(readText(parameters, 'url'))
  if (url === null) throw webAddressError(readText(parameters, 'url'), 'url')
  return url.href
}

type RequestOptions = {
  readonly method?: 'GET' | 'HEAD'
  readonly maxRedirects?: number
  readonly timeoutMs?: unknown
}

/** Null if the site does not answer, which is a result. Throws AppError for a forbidden URL. */
async function request(
  { site, signal }: CheckTools,
  url: string,
  { method = 'GET', maxRedirects = MAX_REDIRECTS, timeoutMs }: RequestOptions = {},
): Promise<SiteAnswer | null> {
  const limitMs =
    typeof timeoutMs === 'number' && timeoutMs >= 100 ? Math.min(timeoutMs, TIMEOUT_MS) : TIMEOUT_MS
  try {
    return await site.request(url, { method, maxRedirects, timeoutMs: limitMs, signal })
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
}

export const checkUptime: Check = async (parameters, tools) => {
  const url = requireUrl(parameters)
  const timeoutMs =
    readText(parameters, 'timeout') === ''
      ? (parameters['timeout_ms'] ?? parameters['timeout'])
      : undefined
  const answer = await request(tools, url, {
    method: readText(parameters, 'method').toUpperCase() === 'HEAD' ? 'HEAD' : 'GET',
    maxRedirects: parameters['follow_redirects'] === false ? 0 : MAX_REDIRECTS,
    timeoutMs,
  })
  const last = answer?.hops.at(-1)
  return {
    url,
    up: last !== undefined && last.status < 400,
    reachable: last !== undefined,
    exists: last !== undefined && last.status < 400,
    status_code: last?.status ?? null,
    final_url: last?.url ?? null,
    redirects: Math.max(0, (answer?.hops.length ?? 0) - 1),
    latency_ms: answer?.hops.reduce((sum, { latencyMs }) => sum + latencyMs, 0) ?? null,
  }
}

export const traceRedirects: Check = async (parameters, tools) => {
  const url = requireUrl(parameters)
  const most = parameters['max_redirects']
  const answer = await request(tools, url, {
    maxRedirects: typeof most === 'number' && most >= 0 ? Math.min(most, 20) : MAX_REDIRECTS,
  })
  const hops = (answer?.hops ?? []).map(({ url: at, status, headers }) => ({
    url: at,
    status_code: status,
    location: headers['location'] ?? null,
  }))
  return {
    url,
    reachable: answer !== null,
    redirect_count: Math.max(0, hops.length - 1),
    final_url: hops.at(-1)?.url ?? null,
    final_status: hops.at(-1)?.status_code ?? null,
    hops,
  }
}

/** Scored headers and their valid values. */
const HEADERS: readonly (readonly [name: string, points: number, isGood: RegExp])[] = [
  ['strict-transport-security', 25, /max-age=[1-9]\d{5,}/i],
  ['content-security-policy', 25, /\S/],
  ['x-content-type-options', 15, /nosniff/i],
  ['x-frame-options', 15, /deny|sameorigin/i],
  ['referrer-policy', 10, /\S/],
  ['permissions-policy', 10, /\S/],
]

export const checkSecurityHeaders: Check = async (parameters, tools) => {
  const url = requireUrl(parameters)
  const answer = await request(tools, url)
  const last = answer?.hops.at(-1)
  if (last === undefined)
    throw new AppError('no_results', 'The website does not answer. Nothing was charged.')
  const found = HEADERS.map(([name, points, isGood]) => {
    // frame-ancestors of a policy replaces the older header.
    const value =
      last.headers[name] ??
      (name === 'x-frame-options' &&
      /frame-ancestors/i.test(last.headers['content-security-policy'] ?? '')
        ? 'sameorigin'
        : undefined)
    return {
      header: name,
      present: value !== undefined,
      good: value !== undefined && isGood.test(value),
      value: value ?? null,
      points,
    }
  })
  const score = found.reduce((sum, { good, points }) => sum + (good ? points : 0), 0)
  return {
    url: last.url,
    status_code: last.status,
    score,
    grade: score >= 90 ? 'A' : score >= 70 ? 'B' : score >= 50 ? 'C' : score >= 25 ? 'D' : 'F',
    headers: found,
    missing: found.filter(({ present }) => !present).map(({ header }) => header),
  }
}

export const readRobots: Check = async (parameters, tools) => {
  const url = new URL('/robots.txt', requireUrl(parameters)).href
  const answer = await request(tools, url)
  const last = answer?.hops.at(-1)
  if (answer === null || last === undefined)
    throw new AppError('no_results', 'The website does not answer. Nothing was charged.')
  const lines = last.status < 400 ? answer.text.split(/\r?\n/) : []
  const groups: { user_agents: string[]; allow: string[]; disallow: string[] }[] = []
  const sitemaps: string[] = []
  let isNaming = false
  for (const line of lines) {
    const { field, value } = robotsField(line)
    if (field === 'sitemap') sitemaps.push(value)
    if (field === 'user-agent') {
      if (!isNaming) groups.push({ user_agents: [], allow: [], disallow: [] })
      groups.at(-1)?.user_agents.push(value)
    }
    if (field !== '' && field !== 'sitemap') isNaming = field === 'user-agent'
    if (field === 'allow' || field === 'disallow') groups.at(-1)?.[field].push(value)
  }
  return { url: last.url, exists: last.status < 400, status_code: last.status, groups, sitemaps }
}

export function requireHost(parameters: Data): string {
  return requireDomain(parameters, ['domain', 'host'])
}

export const checkCertificate: Check = async (parameters, { site, signal, now }) => {
  const host = requireHost(parameters)
  const port = typeof parameters['port'] === 'number' ? parameters['port'] : 443
  const { trusted, problem, protocol, chain } = await site
    .certificates(host, port, signal)
    .catch((error: unknown) => {
      throw error instanceof AppError
        ? error
        : new AppError(
            'no_results',
            'The host does not support TLS on this port. Nothing was charged.',
          )
    })
  const [own] = chain
  const expires = own === undefined ? Number.NaN : Date.parse(own.validTo)
  return {
    host,
    port,
    valid: trusted,
    problem,
    protocol,
    subject: own?.subject ?? null,
    issuer: own?.issuer ?? null,
    valid_from: own === undefined ? null : new Date(own.validFrom).toISOString(),
    valid_to: Number.isNaN(expires) ? null : new Date(expires).toISOString(),
    days_left: Number.isNaN(expires) ? null : Math.floor((expires - now()) / DAY_MS),
    names: own?.names ?? [],
    chain: chain.map(({ subject, issuer, validTo, fingerprint }) => ({
      subject,
      issuer,
      valid_to: validTo,
      fingerprint_sha256: fingerprint,
    })),
  }
}
