import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'

const CONNECT_TIMEOUT_MS = 15_000

/** Opens a connection to a checked address through a proxy. */
export type OpenTunnel = (
  target: { readonly address: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Socket>

/** Opens a connection to a host. Rejects if the host or its address is not allowed. */
type OpenToHost = (hostname: string, port: number, signal: AbortSignal) => Promise<Socket>

/**
 * Names are resolved and checked on this machine, and the proxy gets the checked address: a name
 * that the proxy resolves differently cannot reach its own network.
 */
export function checkedTunnel(
  open: OpenTunnel,
  rules: {
    readonly checkLiteral: (hostname: string, port: number) => void
    readonly lookupFor: (port: number) => LookupFunction
  },
): OpenToHost {
  return async (hostname, port, signal) => {
    rules.checkLiteral(hostname, port)
    const address =
      isIP(hostname) === 0 ? await checkedAddress(rules.lookupFor(port), hostname) : hostname
    return open({ address, port }, signal)
  }
}

/** For undici: connects through a tunnel, with TLS to the host itself. */
export function tunnelConnector(open: OpenToHost): buildConnector.connector {
  const secure = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '')
    const isTls = options.protocol === 'https:'
    const port = Number(options.port) || (isTls ? 443 : 80)
    open(hostname, port, AbortSignal.timeout(CONNECT_TIMEOUT_MS)).then(
      (socket) => {
        if (isTls) secure({ ...options, hostname, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

function checkedAddress(lookup: LookupFunction, hostname: string): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(hostname, {}, (error, address) => {
      if (error === null)
        resolve(typeof address === 'string' ? address : (address[0]?.address ?? ''))
      else reject(error)
    })
  })
}
