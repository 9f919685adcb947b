import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { Transform, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../errors/app-error.ts'
import type { Guard } from './guard.ts'

/** A forward proxy on loopback. A browser reaches only what the guard allows. */
export type GuardProxy = { readonly url: string; close(): Promise<void> }

const IDLE_TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024

export type ProxyLimits = {
  /** How long the other side may send nothing. */
  readonly idleMs: number
  /** The most bytes that one response or tunnel carries to the browser. */
  readonly maxBytes: number
}
export type ProxySettings = Partial<ProxyLimits> & {
  /** An open port that another process passed on. By default a free port of loopback. */
  readonly listener?: Server
}

export async function startGuardProxy(
  guard: Guard,
  { listener, idleMs = IDLE_TIMEOUT_MS, maxBytes = MAX_BYTES }: ProxySettings = {},
): Promise<GuardProxy> {
  const limits = { idleMs, maxBytes }
  const tunnels = new Set<Duplex>()
  const server = createServer((request, response) => {
    forward({ guard, ...limits }, request, response).catch((error: unknown) =>
      refuse(response, error),
    )
  })
  server.on('connect', (request, client, head) => {
    tunnels.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => tunnels.delete(client))
    tunnel({ guard, ...limits }, request, client, head).catch((error: unknown) => {
      if (client.writable)
        client.end(`HTTP/1.1 ${statusFor(error)} Refused\r\nconnection: close\r\n\r\n`)
      else client.destroy()
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (listener === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(listener, resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of tunnels) socket.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Handles `GET http://host/path`. Only this form contains the whole URL, so pages of this gateway
 * pass only here.
 */
async function forward(
  { guard, idleMs, maxBytes }: ProxyLimits & { readonly guard: Guard },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = guard.checkUrl(request.url ?? '', request.method === 'GET' ? 'first' : 'redirect')
  if (url.protocol !== 'http:')
    throw new AppError('bad_url', 'The proxy forwards http only; https comes as CONNECT.')
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const method = (request.method ?? 'GET') as 'GET'
  const upstream = await guard.dispatcherFor(url, method === 'GET' ? 'first' : 'redirect').request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: endToEnd(request.headers),
    body: hasBody(request.headers) ? request : null,
    signal: gone.signal,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  })
  response.writeHead(upstream.statusCode, endToEnd(upstream.headers))
  await pipeline(upstream.body, byteLimit(maxBytes), response)
}

async function tunnel(
  { guard, idleMs, maxBytes }: ProxyLimits & { readonly guard: Guard },
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  const target = URL.parse(`http://${request.url ?? ''}`)
  const port = Number(/:(\d{1,5})$/.exec(request.url ?? '')?.[1])
  if (target === null || !(port > 0 && port < 65_536)) throw new AppError('bad_url')
  const gone = new AbortController()
  client.once('close', () => gone.abort())
  const hostname = target.hostname.replace(/^\[|\]$/g, '')
  const upstream: Socket = await guard.connect(hostname, port, gone.signal)
  upstream.setTimeout(idleMs, () => upstream.destroy())
  upstream.on('error', () => client.destroy())
  upstream.once('close', () => client.end())
  upstream.on('data', () => {
    if (upstream.bytesRead > maxBytes) upstream.destroy()
  })
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  client.pipe(upstream).pipe(client)
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function byteLimit(maxBytes: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > maxBytes) done(new AppError('payload_too_large'))
      else done(null, chunk)
    },
  })
}

/** Hop-by-hop headers, and `host`, which is derived from the checked URL. */
const HOP_BY_HOP = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

function endToEnd(
  headers: IncomingHttpHeaders,
): OutgoingHttpHeaders & Record<string, string | string[] | undefined> {
  const named = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  )
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else
    response
      .writeHead(statusFor(error), { 'content-type': 'text/plain', connection: 'close' })
      .end('Refused.')
}

function statusFor(error: unknown): number {
  return error instanceof AppError && error.code === 'bad_url' ? 403 : 502
}
