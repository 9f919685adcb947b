import type { Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** Waits until the next request to a host may start, and reserves that start. */
export type HostPace = (host: string, signal: AbortSignal) => Promise<void>
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

const MAX_HOSTS = 1_000

/** Spaces the requests of all crawls of this process to one host. */
export function createHostPace({
  now,
  pause,
  spacingMs,
}: {
  now: Clock
  pause: Pause
  spacingMs: number
}): HostPace {
  const nextMs = new RecentMap<string, number>(MAX_HOSTS)
  return async (host, signal) => {
    const startMs = Math.max(now(), nextMs.get(host) ?? 0)
    nextMs.set(host, startMs + spacingMs)
    const waitMs = startMs - now()
    if (waitMs > 0) await pause(waitMs, signal)
  }
}
