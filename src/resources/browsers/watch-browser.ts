import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import type { BrowserDeps } from './browser-deps.ts'
import { watchReached } from './in-house/host/reach-browser.ts'
import { endedBrowser, findBrowser, isPaidFor, unknownBrowser } from './browser-row.ts'

type Watched = { readonly owner: Owner; readonly session: string }

/**
 * The image of an open session, as the parts of a `FRAME_STREAM_TYPE` response. Throws AppError
 * `unknown_session`, `bad_request` for a session of the vendor, `rate_limited` when it has too many
 * viewers, and `upstream_busy` when another machine runs it.
 */
export async function watchBrowser(deps: BrowserDeps, watched: Watched): Promise<Readable> {
  const { isOwn, host } = await requireWatchable(deps, watched)
  if (!isOwn)
    throw new AppError('bad_request', 'A vendor runs this session, so there is no live view.', {
      param: 'session',
      fix: 'Use the live view of the vendor, or take screenshots over connectUrl.',
    })
  const stream = await watchReached(deps.own, { session: watched.session, host })
  if (stream === null) throw endedBrowser()
  return stream
}

/** Throws AppError `unknown_session` unless the session is open and this owner may see it. */
export async function requireWatchable(
  { database, now }: Pick<BrowserDeps, 'database' | 'now'>,
  { owner, session }: Watched,
): Promise<{ readonly isOwn: boolean; readonly host: string | null }> {
  const row = owner.mode === 'test' ? undefined : await findBrowser(database, owner, session)
  if (row === undefined) throw unknownBrowser()
  if (!isPaidFor(row, now())) throw endedBrowser()
  return { isOwn: row.host_seen_ms !== null, host: row.host }
}
