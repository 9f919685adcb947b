import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import type { GetOptions, Resource } from './get.ts'
import type { FailureReason, PageFailure } from './page-failure.ts'
import { parseRobots, type RobotsFile } from './robots.ts'

const MAX_ROBOTS_BYTES = 512 * 1024
const ROBOTS_LIFE_MS = 60 * 60 * 1_000
const MAX_ROBOTS_KEPT = 500
const NOTHING_ALLOWED: RobotsFile = parseRobots('User-agent: *\nDisallow: /', '')
const NOBODY_THERE: ReadonlySet<FailureReason> = new Set([
  'dns',
  'refused',
  'connect_timeout',
  'tls',
])

export type RobotsParts = {
  readonly userAgent: string
  readonly now: Clock
  /** Gets the file itself, whatever it forbids. */
  get(url: string, options: GetOptions): Promise<Resource | PageFailure>
}

/** What hosts say to this reader in robots.txt, remembered for an hour. */
export type RobotsOfHosts = {
  /** Of the URL's host. One without the file allows everything, one that nobody reaches nothing. */
  of(url: URL, options: GetOptions): Promise<RobotsFile>
  /** Why a page is not read: the file forbids it, or the host takes no connection at all. Undefined where it may be. */
  forbids(url: URL, options: GetOptions): Promise<FailureReason | undefined>
}

export function createRobotsOfHosts({ userAgent, now, get }: RobotsParts): RobotsOfHosts {
  const known = new LRUCache<string, RobotsFile>({
    max: MAX_ROBOTS_KEPT,
    ttl: ROBOTS_LIFE_MS,
    ttlResolution: 0,
    perf: { now },
  })
  const agentToken =
    /[a-z][a-z_-]*(?=\/|\s*\(|$)/i.exec(
      userAgent.replace(/^Mozilla\/5\.0 \(compatible;\s*/, ''),
    )?.[0] ?? userAgent

  /** A failure where the host takes no connection at all: nobody is there to forbid anything. */
  async function ask(url: URL, options: GetOptions): Promise<RobotsFile | PageFailure> {
    const kept = known.get(url.origin)
    if (kept !== undefined) return kept
    const file = new URL('/robots.txt', url.href).href
    const answer = await get(file, { ...options, maxBytes: MAX_ROBOTS_BYTES })
    // RFC 9309: a missing file allows everything, a server that cannot answer forbids everything.
    if (answer.kind === 'failed' && NOBODY_THERE.has(answer.reason) && answer.finalUrl === file)
      return answer
    const isMissing = answer.kind === 'failed' && answer.status !== undefined && answer.status < 500
    const parsed =
      answer.kind === 'resource'
        ? parseRobots(answer.body.toString('utf8'), agentToken)
        : isMissing
          ? parseRobots('', agentToken)
          : NOTHING_ALLOWED
    // A server that could not be reached is asked again the next time.
    if (answer.kind === 'resource' || answer.status !== undefined) known.set(url.origin, parsed)
    return parsed
  }

  return {
    async of(url, options) {
      const asked = await ask(url, options)
      return 'kind' in asked ? NOTHING_ALLOWED : asked
    },
    async forbids(url, options) {
      const asked = await ask(url, options)
      if ('kind' in asked) return asked.reason
      return asked.isAllowed(`${url.pathname}${url.search}`) ? undefined : 'robots'
    },
  }
}
