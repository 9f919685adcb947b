import { lookup as systemLookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { isInternalName } from '../lib/internal-names.ts'
import { BLOCKED_PORTS, createAddressRule, type AddressClass } from './guard-addresses.ts'
import { createPlainDispatcher, type Dispatches } from './http1/plain-dispatcher.ts'
import { checkedTunnel, tunnelConnector, type OpenTunnel } from './proxies/tunnel-connector.ts'

export type ResolvedAddress = { address: string; family: number }
export type GuardSettings = {
  /** CIDR blocks that may be reached although they are not public, by URLs on any port except those of other protocols. */
  allowPrivateNetworks: readonly string[]
  /** Exact URLs of this gateway that may be read with GET, although its address is not public. */
  ownPages?: readonly string[] | undefined
  /** The ports of public addresses. Default: those of web pages. */
  publicPorts?: ReadonlySet<number> | undefined
  /** Resolves a name to all its addresses. Default: the system's resolver. */
  lookup?: ((hostname: string) => Promise<readonly ResolvedAddress[]>) | undefined
  /** The addresses of this machine, which are not public. Default: those of its interfaces. */
  ownAddresses?: (() => readonly string[]) | undefined
  /** Opens connections to checked addresses. Default: directly. */
  tunnel?: OpenTunnel | undefined
}

/** The position of a URL in a chain of redirects. A page of this gateway may only be the first. */
export type Hop = 'first' | 'redirect'

/** Connects to public addresses only, and to networks that the operator allowed. */
export type Guard = {
  /** For undici. Rejects with AppError `bad_url` if the name or address is not public. */
  readonly dispatcher: Dispatcher
  /** For vendors, whose responses are read whole. Rejects like `dispatcher`. */
  readonly vendors: Dispatches
  /** The dispatcher for a URL that passed `checkUrl`: a separate one for pages of this gateway. */
  dispatcherFor(url: URL, hop?: Hop): Dispatcher
  /** Throws AppError `bad_url` for a URL that can be rejected without DNS. */
  checkUrl(url: string | URL, hop?: Hop): URL
  /** Checks like `checkUrl` a URL that a service fetches. Allows any port except those of other protocols. */
  checkHost(url: string | URL): void
  isOwnPage(url: URL): boolean
  /**
   * Opens a TCP connection under the same rule. Rejects with AppError `bad_url`, or the system's
   * error.
   */
  connect(hostname: string, port: number, signal: AbortSignal): Promise<Socket>
  close(): Promise<void>
}

const PUBLIC_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443])
const CONNECT_TIMEOUT_MS = 10_000
const MAX_URL_LENGTH = 8_192
const MAX_HEADER_BYTES = 64 * 1024
/** RFC 6761: these names mean loopback, regardless of DNS. */
const LOCALHOST_NAME = /(^|\.)localhost\.?$/i
const BLOCKED_ADDRESS = 'blocked_address'

export function createGuard(settings: GuardSettings): Guard {
  const rule = createAddressRule(settings.allowPrivateNetworks, settings.ownAddresses)
  const ownPages = new Set((settings.ownPages ?? []).map((page) => withoutFragment(new URL(page))))
  const resolve =
    settings.lookup ?? ((hostname) => systemLookup(hostname, { all: true, order: 'verbatim' }))

  const isOwnPage = (url: URL) => ownPages.has(withoutFragment(url))

  const publicPorts = settings.publicPorts ?? PUBLIC_PORTS
  const permits = (kind: AddressClass, port: number) =>
    kind === 'opened' || (kind === 'public' && publicPorts.has(port))

  /**
   * Resolves a name once and returns only checked addresses, so that a second, different DNS answer
   * cannot be used.
   */
  const lookupFor =
    (port: number): LookupFunction =>
    (hostname, options, callback) => {
      resolve(hostname).then(
        (found) => {
          const first = found[0]
          if (
            first === undefined ||
            !found.every(({ address }) => permits(rule.classify(address), port))
          ) {
            return callback(blocked(hostname), '', 0)
          }
          if (options.all === true) return callback(null, [...found])
          callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    }

  /** Node does not call `lookup` for literal addresses, so they are checked here. */
  const checkLiteral = (hostname: string, port: number): void => {
    if (isIP(hostname) !== 0 && !permits(rule.classify(hostname), port)) throw blocked(hostname)
  }

  /** Classifies a host; undefined if that needs DNS. Throws AppError `bad_url` for one that is not public. */
  const classOfHost = (hostname: string): AddressClass | undefined => {
    const address = LOCALHOST_NAME.test(hostname) ? '127.0.0.1' : hostname
    // Rejected without DNS: its answer would reveal which internal names exist.
    if (isIP(address) === 0 && isInternalName(hostname) && !rule.opensAny) throw blocked(hostname)
    const kind = isIP(address) === 0 ? undefined : rule.classify(address)
    if (kind === 'refused') throw blocked(hostname)
    return kind
  }

  const checkUrl: Guard['checkUrl'] = (input, hop = 'first') => {
    const url = parseWebUrl(input)
    if (hop === 'first' && isOwnPage(url)) return url
    const port = requireWebPort(url)
    const kind = classOfHost(unbracket(url.hostname))
    // An unusual port is allowed for a name that may lead to an allowed network.
    const mayPass =
      PUBLIC_PORTS.has(port) || kind === 'opened' || (kind === undefined && rule.opensAny)
    if (!mayPass) throw badPort(port)
    return url
  }

  const openTunneled =
    settings.tunnel === undefined
      ? null
      : checkedTunnel(settings.tunnel, { checkLiteral, lookupFor })
  const guarded = new Agent({
    connect:
      openTunneled === null
        ? guardedConnector(checkLiteral, lookupFor)
        : tunnelConnector(openTunneled),
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  const vendors = createPlainDispatcher({
    connectMs: CONNECT_TIMEOUT_MS,
    opening: {
      guard(hostname, port) {
        checkLiteral(hostname, port)
        return lookupFor(port)
      },
    },
  })
  const own = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } })

  return {
    dispatcher: guarded,
    vendors,
    dispatcherFor: (url, hop = 'first') => (hop === 'first' && isOwnPage(url) ? own : guarded),
    checkUrl,
    checkHost(input) {
      const url = parseWebUrl(input)
      if (isOwnPage(url)) return
      requireWebPort(url)
      classOfHost(unbracket(url.hostname))
    },
    isOwnPage,
    async connect(hostname, port, signal) {
      classOfHost(hostname)
      if (openTunneled !== null) return openTunneled(hostname, port, signal)
      checkLiteral(hostname, port)
      return openSocket(hostname, port, lookupFor(port), signal)
    },
    async close() {
      await Promise.all([guarded.destroy(), vendors.destroy(), own.destroy()])
    },
  }
}

/** Reports whether the guard rejected the connection, not the network. Follows causes. */
export function isGuardRefusal(error: unknown): boolean {
  for (
    let inner = error, depth = 0;
    inner instanceof Error && depth < 5;
    inner = inner.cause, depth += 1
  ) {
    if (inner instanceof AppError && inner.details?.['reason'] === BLOCKED_ADDRESS) return true
  }
  return false
}

function guardedConnector(
  checkLiteral: (hostname: string, port: number) => void,
  lookupFor: (port: number) => LookupFunction,
): buildConnector.connector {
  const byPort = new Map<number, buildConnector.connector>()
  // The port decides which addresses are allowed: one connector per public port, and one for other
  // ports.
  const connectorFor = (port: number) => {
    const key = PUBLIC_PORTS.has(port) ? port : 0
    const connector =
      byPort.get(key) ?? buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: lookupFor(key) })
    byPort.set(key, connector)
    return connector
  }
  return (options, callback) => {
    const hostname = unbracket(options.hostname)
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    try {
      checkLiteral(hostname, port)
    } catch (refusal) {
      queueMicrotask(() => callback(refusal as Error, null))
      return
    }
    connectorFor(port)({ ...options, hostname }, callback)
  }
}

function openSocket(
  hostname: string,
  port: number,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: hostname, port, lookup, signal })
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new AppError('upstream_timeout')))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}

function parseWebUrl(input: string | URL): URL {
  const text = typeof input === 'string' ? input.trim() : input.href
  if (text.length > MAX_URL_LENGTH)
    throw badUrl(`The URL is longer than ${MAX_URL_LENGTH} characters`)
  const url = URL.parse(text)
  if (url === null) throw badUrl('The text is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badUrl('Only http and https URLs are supported')
  if (url.username !== '' || url.password !== '')
    throw badUrl('The URL contains a user name or password')
  return url
}

function requireWebPort({ port: written, protocol }: URL): number {
  const port = written === '' ? (protocol === 'https:' ? 443 : 80) : Number(written)
  // A server of another protocol could take parts of the request as commands.
  if (BLOCKED_PORTS.has(port)) throw badPort(port)
  return port
}

function unbracket(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function withoutFragment(url: URL): string {
  const copy = new URL(url)
  copy.hash = ''
  return copy.href
}

function badPort(port: number): AppError {
  return badUrl(`Port ${port} is not allowed for web pages`)
}

function badUrl(reason: string): AppError {
  return new AppError('bad_url', `${reason}.`)
}

/**
 * Names the requested host, never the address from DNS: errors must not reveal the operator's
 * network.
 */
function blocked(hostname: string): AppError {
  return new AppError('bad_url', `"${hostname}" is not a host on the public internet.`, {
    details: { reason: BLOCKED_ADDRESS },
  })
}
