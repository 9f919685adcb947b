import { isIP } from 'node:net'
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { request, type Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { withSingleValues } from '../lib/http-fields.ts'
import { isGuardRefusal, type Guard } from './guard.ts'

export type SiteHop = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly latencyMs: number
}
export type SiteAnswer = { readonly hops: readonly SiteHop[]; readonly text: string }
export type SiteCertificate = {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: string
  readonly validTo: string
  readonly names: readonly string[]
  readonly fingerprint: string
}
export type SiteTls = {
  readonly trusted: boolean
  readonly problem: string | null
  readonly protocol: string | null
  readonly chain: readonly SiteCertificate[]
}

export type ProbeOptions = {
  readonly method: 'GET' | 'HEAD'
  readonly maxRedirects: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Requests websites from outside, through the guard. Rejects with AppError `bad_url` for a
 * non-public address, or the network's error.
 */
export type SiteProbe = {
  request(url: string, options: ProbeOptions): Promise<SiteAnswer>
  certificates(host: string, port: number, signal: AbortSignal): Promise<SiteTls>
}

const MAX_TEXT_BYTES = 512 * 1024
const TLS_TIMEOUT_MS = 10_000
const MAX_CHAIN = 10

export function createSiteProbe(
  guard: Pick<Guard, 'checkUrl' | 'dispatcher' | 'connect'>,
  userAgent: string,
): SiteProbe {
  return {
    async request(url, options) {
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
      const hops: SiteHop[] = []
      for (let next = guard.checkUrl(url); ;) {
        const { hop, body } = await visit(guard.dispatcher, next, {
          method: options.method,
          signal,
          userAgent,
        })
        hops.push(hop)
        const target =
          hop.status >= 300 && hop.status < 400 && hop.headers['location'] !== undefined
            ? URL.parse(hop.headers['location'], next.href)
            : null
        if (target === null || hops.length > options.maxRedirects)
          return { hops, text: await firstText(body) }
        await body.dump({ limit: 16_384 })
        next = guard.checkUrl(target, 'redirect')
      }
    },
    async certificates(host, port, signal) {
      const socket = await guard.connect(host, port, signal)
      return new Promise((resolve, reject) => {
        const tls = connectTls({
          socket,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          rejectUnauthorized: false,
        })
        tls.setTimeout(TLS_TIMEOUT_MS, () => tls.destroy(new AppError('upstream_timeout')))
        tls.once('error', reject)
        tls.once('secureConnect', () => {
          resolve(describe(tls))
          tls.destroy()
        })
      })
    },
  }
}

type Visit = {
  readonly method: 'GET' | 'HEAD'
  readonly signal: AbortSignal
  readonly userAgent: string
}

async function visit(
  dispatcher: Dispatcher,
  url: URL,
  { method, signal, userAgent }: Visit,
): Promise<{ hop: SiteHop; body: Dispatcher.ResponseData['body'] }> {
  const startedMs = performance.now()
  const answer = await request(url, {
    method,
    dispatcher,
    signal,
    headers: { 'user-agent': userAgent, accept: '*/*' },
  }).catch((error: unknown) => {
    throw isGuardRefusal(error)
      ? new AppError('bad_url', 'The URL leads to a network that is not public.', {
          param: 'url',
        })
      : error
  })
  return {
    hop: {
      url: url.href,
      status: answer.statusCode,
      headers: withSingleValues(answer.headers),
      latencyMs: Math.round(performance.now() - startedMs),
    },
    body: answer.body,
  }
}

async function firstText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_TEXT_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_TEXT_BYTES).toString('utf8')
}

function describe(tls: TLSSocket): SiteTls {
  const chain: SiteCertificate[] = []
  const seen = new Set<string>()
  // A root certificate is its own issuer.
  for (
    let one: DetailedPeerCertificate | undefined = tls.getPeerCertificate(true);
    one?.fingerprint256 !== undefined && !seen.has(one.fingerprint256) && chain.length < MAX_CHAIN;
    one = one.issuerCertificate
  ) {
    seen.add(one.fingerprint256)
    chain.push({
      subject: nameOf(one.subject),
      issuer: nameOf(one.issuer),
      validFrom: one.valid_from,
      validTo: one.valid_to,
      names: (one.subjectaltname ?? '')
        .split(', ')
        .flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : [])),
      fingerprint: one.fingerprint256,
    })
  }
  return {
    trusted: tls.authorized,
    problem: tls.authorized ? null : String(tls.authorizationError),
    protocol: tls.getProtocol(),
    chain,
  }
}

function nameOf(subject: { readonly CN?: unknown; readonly O?: unknown }): string {
  return [subject.CN, subject.O].flat().find((name) => typeof name === 'string') ?? ''
}
