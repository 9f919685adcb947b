import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import type { GetOptions, Resource } from './resource.ts'
import type { FailureReason, PageFailure } from './page-failure.ts'
import { parseRobots, type RobotsFile } from './robots.ts'

const MAX_ROBOTS_BYTES = 512 * 1024
const ROBOTS_LIFE_MS = 60 * 60 * 1_000
const MAX_CACHED_HOSTS = 500
const NOTHING_ALLOWED: RobotsFile = parseRobots('User-agent: *\nDisallow: /', '')
const UNREACHABLE: ReadonlySet<FailureReason> = new Set([
  'dns',
  'refused',
  'connect_timeout',
  'tls',
])

export type RobotsDeps = {
  readonly userAgent: string
  readonly now: Clock
  /** Fetches the file itself without checking robots.txt. */
  get(url: string, options: GetOptions): Promise<Resource | PageFailure>
}

/** The rules in robots.txt of each host for this fetcher, cached for an hour. */
export type RobotsCache = {
  /**
   * The file of the URL's host. A missing file allows everything; an unreachable host allows
   * nothing.
   */
  of(url: URL, options: GetOptions): Promise<RobotsFile>
  /**
   * The reason not to fetch a page: the file forbids it, or the host is unreachable. Undefined if
   * fetching is allowed.
   */
  forbids(url: URL, options: GetOptions): Promise<FailureReason | undefined>
}

export function createRobotsCache({ userAgent, now, get }: RobotsDeps): RobotsCache {
  const cache = new LRUCache<string, RobotsFile>({
    max: MAX_CACHED_HOSTS,
    ttl: ROBOTS_LIFE_MS,
    ttlResolution: 0,
    perf: { now },
  })
  const agentToken =
    /[a-z][a-z_-]*(?=\/|\s*\(|$)/i.exec(
      userAgent.replace(/^Mozilla\/5\.0 \(compatible;\s*/, ''),
    )?.[0] ?? userAgent

  /** Returns a failure if the host is unreachable. */
  async function load(url: URL, options: GetOptions): Promise<RobotsFile | PageFailure> {
    const cached = cache.get(url.origin)
    if (cached !== undefined) return cached
    const file = new URL('/robots.txt', url.href).href
    const response = await get(file, { ...options, maxBytes: MAX_ROBOTS_BYTES })
    // RFC 9309: a missing file allows everything, a server error forbids everything.
    if (
      response.kind === 'failed' &&
      UNREACHABLE.has(response.reason) &&
      response.finalUrl === file
    )
      return response
    const isMissing =
      response.kind === 'failed' && response.status !== undefined && response.status < 500
    const parsed =
      response.kind === 'resource'
        ? parseRobots(response.body.toString('utf8'), agentToken)
        : isMissing
          ? parseRobots('', agentToken)
          : NOTHING_ALLOWED
    // Not cached if the server was unreachable: the next page tries again.
    if (response.kind === 'resource' || response.status !== undefined) cache.set(url.origin, parsed)
    return parsed
  }

  return {
    async of(url, options) {
      const loaded = await load(url, options)
      return 'kind' in loaded ? NOTHING_ALLOWED : loaded
    },
    async forbids(url, options) {
      const loaded = await load(url, options)
      if ('kind' in loaded) return loaded.reason
      return loaded.isAllowed(`${url.pathname}${url.search}`) ? undefined : 'robots'
    },
  }
}
