import type { Dispatcher } from 'undici'
import { AppError } from '../errors/app-error.ts'
import { exchange, type Incoming, type Limits, type Outgoing } from './exchange.ts'

const MAX_REDIRECTS = 5

/**
 * As `exchange`, following redirects within the same origin: what was sent along is meant for that host alone.
 * `path` is where they ended. Rejects with AppError upstream_error when a redirect leads elsewhere or too far.
 */
export async function exchangeFollowing(dispatcher: Dispatcher, outgoing: Outgoing, limits: Limits): Promise<Incoming & { readonly path: string }> {
  let { path } = outgoing
  for (let turn = 0; turn <= MAX_REDIRECTS; turn += 1) {
    const incoming = await exchange(dispatcher, { ...outgoing, path }, limits)
    const { location } = incoming.headers
    if (incoming.status < 301 || incoming.status > 308 || location === undefined) return { ...incoming, path }
    const next = URL.parse(location, `${outgoing.origin}${path}`)
    if (next === null || next.host !== new URL(outgoing.origin).host) throw new AppError('upstream_error', 'The vendor sent the request on to another host. Nothing was charged.')
    path = `${next.pathname}${next.search}`
  }
  throw new AppError('upstream_error', 'The vendor sent the request in a circle. Nothing was charged.')
}
