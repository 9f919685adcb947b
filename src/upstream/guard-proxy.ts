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
import { BLOCKED_PORTS } from './guard-addresses.ts'
import type { Guard } from './guard.ts'

/** A forward proxy on loopback. A browser reaches only what the guard allows. */
export type GuardProxy = { readonly url: string; close(): Promise<void> }

const IDLE_TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024

export type ProxyLimits = {
  /** How long the other side may send nothing. */
  readonly idleMs: number
  /** The most bytes that one response or tunnel carries to the client. */
  readonly maxBytes: number
  /** The most connections of clients at the same time. Others are closed immediately. */
  readonly maxConnections: number
  /** The most bytes that all connections together carry in both directions, with URLs and headers. */
  readonly maxTotalBytes: number
}
/** A request to connect. `failure` is null if it was allowed and the host answered. */
export type ProxiedTarget = {
  readonly hostname: string
  readonly port: number
  readonly failure: unknown
}
export type ProxySettings = Partial<ProxyLimits> & {
  /** An open port, or the path of a Unix socket to create. By default a free port of loopback. */
  readonly listener?: Server | string
  readonly onTarget?: (target: ProxiedTarget) => void
  /** Resolves when the next request may start. By default immediately. */
  readonly waitForNext?: () => Promise<void>
}

type ProxyDeps = Pick<ProxyLimits, 'idleMs' | 'maxBytes'> & {
  readonly guard: Guard
  readonly total: ByteTotal
  readonly onTarget: (target: ProxiedTarget) => void
  readonly waitForNext: () => Promise<void>
}

export async function startGuardProxy(
  guard: Guard,
  {
    listener,
    idleMs = IDLE_TIMEOUT_MS,
    maxBytes = MAX_BYTES,
    maxConnections,
    maxTotalBytes = Number.POSITIVE_INFINITY,
    onTarget = () => undefined,
    waitForNext = async () => {},
  }: ProxySettings = {},
): Promise<GuardProxy> {
  const total = createByteTotal(maxTotalBytes)
  const deps = { guard, idleMs, maxBytes, total, onTarget, waitForNext }
  const tunnels = new Set<Duplex>()
  const busy = new WeakSet<Duplex>()
  const server = createServer((request, response) => {
    const { socket } = request
    // Requests that wait for the response of an earlier one would use memory without a limit.
    if (busy.has(socket)) return void socket.destroy()
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
    forward(deps, request, response).catch((error: unknown) => refuse(response, error))
  })
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  server.on('connect', (request, client, head) => {
    tunnels.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => tunnels.delete(client))
    tunnel(deps, request, client, head).catch((error: unknown) => {
      if (client.writable)
        client.end(
          `HTTP/1.1 ${statusFor(error)} Refused\r\nconnection: close\r\n\r\n${reasonOf(error)}\n`,
        )
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
  { guard, idleMs, maxBytes, total, onTarget, waitForNext }: ProxyDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const hop = request.method === 'GET' ? 'first' : 'redirect'
  const { hostname, port } = URL.parse(request.url ?? '') ?? { hostname: '', port: '' }
  const target = { hostname, port: Number(port || 80) }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  await waitForNext()
  const upstream = await reporting(target, onTarget, async () => {
    total.take(bytesOfHead(request.url, request.rawHeaders))
    const url = guard.checkUrl(request.url ?? '', hop)
    if (url.protocol !== 'http:')
      throw new AppError('bad_url', 'The proxy forwards http only; https comes as CONNECT.')
    return guard.dispatcherFor(url, hop).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method ?? 'GET',
      headers: endToEnd(request.headers),
      body: hasBody(request.headers)
        ? request.pipe(byteLimit(Number.POSITIVE_INFINITY, total))
        : null,
      signal: gone.signal,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    })
  })
  total.take(bytesOfHead('', Object.entries(upstream.headers).flat(2)))
  response.writeHead(upstream.statusCode, endToEnd(upstream.headers))
  await pipeline(upstream.body, byteLimit(maxBytes, total), response)
}

async function tunnel(
  { guard, idleMs, maxBytes, total, onTarget, waitForNext }: ProxyDeps,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  const url = URL.parse(`http://${request.url ?? ''}`)
  const port = Number(/:(\d{1,5})$/.exec(request.url ?? '')?.[1])
  if (url === null || !(port > 0 && port < 65_536) || BLOCKED_PORTS.has(port))
    throw new AppError('bad_url')
  const gone = new AbortController()
  client.once('close', () => gone.abort())
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  await waitForNext()
  const upstream = await reporting({ hostname, port }, onTarget, (): Promise<Socket> => {
    total.take(bytesOfHead(request.url, request.rawHeaders))
    return guard.connect(hostname, port, gone.signal)
  })
  upstream.setTimeout(idleMs, () => upstream.destroy())
  upstream.on('error', () => client.destroy())
  upstream.once('close', () => client.end())
  upstream.on('data', (bytes: Buffer) => {
    if (!total.add(bytes.length) || upstream.bytesRead > maxBytes) upstream.destroy()
  })
  client.on('data', (bytes: Buffer) => {
    if (!total.add(bytes.length)) upstream.destroy()
  })
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) {
    total.add(head.length)
    upstream.write(head)
  }
  client.pipe(upstream).pipe(client)
}

/** Reports the result of an attempt to reach a target. */
async function reporting<T>(
  target: Omit<ProxiedTarget, 'failure'>,
  onTarget: ProxyDeps['onTarget'],
  connect: () => Promise<T>,
): Promise<T> {
  try {
    const connected = await connect()
    onTarget({ ...target, failure: null })
    return connected
  } catch (failure) {
    onTarget({ ...target, failure })
    throw failure
  }
}

function bytesOfHead(url = '', headers: readonly (string | undefined)[]): number {
  return headers.reduce((sum, text = '') => sum + text.length, url.length)
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The bytes of all connections of a proxy. */
type ByteTotal = {
  /** Counts bytes. Throws AppError `payload_too_large` if they exceed the limit. */
  take(bytes: number): void
  /** Counts bytes. False if they exceed the limit. */
  add(bytes: number): boolean
}

function createByteTotal(maxTotalBytes: number): ByteTotal {
  let seen = 0
  const add = (bytes: number): boolean => {
    seen += bytes
    return seen <= maxTotalBytes
  }
  return {
    take(bytes) {
      if (!add(bytes)) throw new AppError('payload_too_large', 'The network allowance is used up.')
    },
    add,
  }
}

function byteLimit(maxBytes: number, total: ByteTotal): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (!total.add(chunk.length) || seen > maxBytes) done(new AppError('payload_too_large'))
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

const STATUSES: ReadonlyMap<string, number> = new Map([
  ['bad_url', 403],
  ['payload_too_large', 403],
  ['rate_limited', 429],
])

function statusFor(error: unknown): number {
  return (error instanceof AppError ? STATUSES.get(error.code) : undefined) ?? 502
}

/** Never names an address from DNS. */
function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The host did not answer.'
}
