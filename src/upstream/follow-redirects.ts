import { AppError } from '../errors/app-error.ts'
import { exchange, type Incoming, type Limits, type Outgoing } from './exchange.ts'
import type { Dispatches } from './http1/plain-dispatcher.ts'

const MAX_REDIRECTS = 5

/**
 * As `exchange`, following redirects within the same host: what was sent along is meant for that one alone. With
 * `anywhere` also to others, over https, which the dispatcher must guard. `path` is where they ended. Rejects with
 * AppError upstream_error when a redirect leads elsewhere or too far.
 */
export async function exchangeFollowing(
  dispatcher: Dispatches,
  outgoing: Outgoing,
  limits: Limits,
  anywhere = false,
): Promise<Incoming & { readonly path: string }> {
  let { origin, path } = outgoing
  for (let turn = 0; turn <= MAX_REDIRECTS; turn += 1) {
    const incoming = await exchange(dispatcher, { ...outgoing, origin, path }, limits)
    const { location } = incoming.headers
    if (incoming.status < 301 || incoming.status > 308 || location === undefined)
      return { ...incoming, path }
    const next = URL.parse(location, `${origin}${path}`)
    const isElsewhere = next?.host !== new URL(origin).host
    if (next === null || (isElsewhere && !(anywhere && next.protocol === 'https:')))
      throw new AppError(
        'upstream_error',
        'The vendor sent the request on to another host. Nothing was charged.',
      )
    if (isElsewhere) origin = next.origin
    path = `${next.pathname}${next.search}`
  }
  throw new AppError(
    'upstream_error',
    'The vendor sent the request in a circle. Nothing was charged.',
  )
}
