import { connect } from 'node:net'
import { nameOfProxy, type EgressProxy } from './egress-proxy.ts'

const TIMEOUT_MS = 5_000

/** Connects to a proxy. Returns the problem without the proxy's address, null if it accepts connections. */
export function findProxyProblem(proxy: EgressProxy): Promise<string | null> {
  const { hostname, port, protocol } = new URL(proxy.url)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    })
    const end = (problem: string | null): void => {
      socket.destroy()
      resolve(problem)
    }
    socket.setTimeout(TIMEOUT_MS, () => end(`proxy ${nameOfProxy(proxy)} does not answer`))
    socket.once('connect', () => end(null))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(`proxy ${nameOfProxy(proxy)} cannot be reached (${error.code ?? error.message})`),
    )
  })
}
