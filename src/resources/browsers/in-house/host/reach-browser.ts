/** Sessions of this process, and by relay those of other processes of this machine. */
import type { Readable } from 'node:stream'
import { AppError } from '../../../../errors/app-error.ts'
import type { OwnBrowsers } from '../own-browsers.ts'
import { tooManyViewers, type BrowserReply } from './browser-host.ts'

/** `host`: the name of the process that runs the session; null if it is unknown. */
export type ReachedSession = { readonly session: string; readonly host: string | null }

/**
 * Null if no process runs the session. Throws AppError `upstream_busy` if another machine runs it, and
 * `upstream_error` if its process does not answer or its name is unknown.
 */
export async function describeReached(
  own: OwnBrowsers | undefined,
  { session, host }: ReachedSession,
): Promise<BrowserReply | null> {
  const here = own?.get(session)
  if (here !== undefined) return { page: await here.page(), viewers: here.viewers() }
  if (own?.stateOf(session) === 'ended') return null
  return requireHost(own, host).ask(session, { kind: 'describe' })
}

/** Whether a process runs the session. Throws AppError as `describeReached`. Does not wait for the browser. */
export async function isReached(
  own: OwnBrowsers | undefined,
  { session, host }: ReachedSession,
): Promise<boolean> {
  const state = own?.stateOf(session) ?? 'unknown'
  if (state !== 'unknown') return state === 'running'
  return (await requireHost(own, host).ask(session, { kind: 'find' })) !== null
}

/** The frames for one viewer. Null if no process runs the session. Throws AppError as above. */
export async function watchReached(
  own: OwnBrowsers | undefined,
  { session, host }: ReachedSession,
): Promise<Readable | null> {
  const here = own?.get(session)
  if (here === undefined) return requireHost(own, host).watch(session)
  const stream = here.watch()
  if (stream === null) throw tooManyViewers()
  return stream
}

/** Never rejects: a process that cannot be reached ends the session itself within seconds. */
export async function endReached(
  own: OwnBrowsers | undefined,
  { session, host }: ReachedSession,
): Promise<void> {
  if (own === undefined || own.get(session) !== undefined) {
    await own?.release(session)
    return
  }
  if (own.stateOf(session) === 'ended') return
  try {
    await requireHost(own, host).ask(session, { kind: 'end' })
  } catch {
    // Its process reads the end from the database.
  }
}

function requireHost(own: OwnBrowsers | undefined, host: string | null) {
  const reach = own?.host
  if (reach === undefined || host === null)
    throw new AppError('upstream_error', 'The process of this session cannot be reached.')
  return {
    ask: async (session: string, request: Parameters<typeof reach.ask>[2]) =>
      host === reach.name ? null : reach.ask(host, session, request),
    watch: async (session: string) => (host === reach.name ? null : reach.watch(host, session)),
  }
}
