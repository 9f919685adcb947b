import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import { RecentMap } from '../../lib/recent-map.ts'

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Limits the sessions with the servers of one email provider. */
export type ProviderLimits = {
  /**
   * Waits until a session may start, and returns the function that ends it. Rejects with AppError
   * `rate_limited` if the wait would be too long.
   */
  enter(host: string, visitor: Visitor): Promise<() => void>
  /** Notes that a server rejects this gateway. */
  rest(host: string): void
  isResting(host: string): boolean
}

/** Many checks look like a search for addresses, and get the gateway blocked. */
const SPACING_MS = 2_000
const MAX_WAIT_MS = 6_000
const MOST_OF_PROVIDER = 4
const MOST_OF_ACCOUNT = 2
const REST_MS = 15 * 60_000
const MAX_PROVIDERS = 5_000

type Provider = { nextMs: number; readonly sessions: string[] }

export function createProviderLimits({
  now,
  pause,
}: {
  readonly now: Clock
  readonly pause: Pause
}): ProviderLimits {
  const providers = new RecentMap<string, Provider>(MAX_PROVIDERS)
  // By host, because a server speaks for itself alone.
  const restUntilMs = new RecentMap<string, number>(MAX_PROVIDERS)
  return {
    async enter(host, { accountId, signal }) {
      const name = providerOf(host)
      const provider = providers.get(name) ?? { nextMs: 0, sessions: [] }
      providers.set(name, provider)
      const { sessions } = provider
      const waitMs = Math.max(0, provider.nextMs - now())
      if (
        waitMs > MAX_WAIT_MS ||
        sessions.length >= MOST_OF_PROVIDER ||
        sessions.filter((account) => account === accountId).length >= MOST_OF_ACCOUNT
      )
        throw new AppError(
          'rate_limited',
          `This gateway checks addresses at ${name} one after another. Nothing was charged.`,
          { retryAfterSeconds: Math.ceil(Math.max(waitMs, SPACING_MS) / 1_000) },
        )
      provider.nextMs = now() + waitMs + SPACING_MS
      sessions.push(accountId)
      const leave = (): void => void sessions.splice(sessions.indexOf(accountId), 1)
      try {
        if (waitMs > 0) await pause(waitMs, signal)
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
    rest: (host) => restUntilMs.set(host, now() + REST_MS),
    isResting: (host) => (restUntilMs.get(host) ?? 0) > now(),
  }
}

/** The domain of a server, such as "google.com" for all servers of Google. */
export function providerOf(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  // "co.uk" and the like have many owners.
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join('.')
}
