import { AppError } from '../errors/app-error.ts'
import { exchange, type Incoming, type Limits, type Outgoing } from './exchange.ts'
import type { Dispatches } from './http1/plain-dispatcher.ts'

const MAX_REDIRECTS = 5

/**
 * Like `exchange`, but follows redirects within the same host, because headers and body are only
 * for that host. With `anywhere` also to other hosts over https; then the dispatcher must be
 * guarded. Returns the final `path`. Rejects with AppError `upstream_error` for other redirects, or
 * too many.
 */
export async function exchangeFollowing(
  dispatcher: Dispatches,
  outgoing: Outgoing,
  limits: Limits,
  anywhere = false,
): Promise<Incoming & { readonly path: string }> {
  let { origin, path } = outgoing
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const incoming = await exchange(dispatcher, { ...outgoing, origin, path }, limits)
    const { location } = incoming.headers
    if (incoming.status < 301 || incoming.status > 308 || location === undefined)
      return { ...incoming, path }
    const next = URL.parse(location, `${origin}${path}`)
    const isElsewhere = next?.host !== new URL(origin).host
    if (next === null || (isElsewhere && !(anywhere && next.protocol === 'https:')))
      throw new AppError(
        'upstream_error',
        'The vendor redirected the request to another host. Nothing was charged.',
      )
    if (isElsewhere) origin = next.origin
    path = `${next.pathname}${next.search}`
  }
  throw new AppError(
    'upstream_error',
    'The vendor redirected the request too often. Nothing was charged.',
  )
}
