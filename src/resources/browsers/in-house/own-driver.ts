import { AppError } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { LONGEST_SECONDS, type BrowserDriver } from '../browser-driver.ts'
import { isReached } from './host/reach-browser.ts'
import type { OwnBrowsers } from './own-browsers.ts'

/** A process that has not reported its browsers for this long has ended, and its browsers with it. */
export const HOST_LOST_MS = 20_000

/** The browsers of this machine, for one account. The label of a session is its id. */
export function ownDriver(
  { own, now }: { readonly own?: OwnBrowsers | undefined; readonly now: Clock },
  {
    hostSeenMs,
    host,
    accountId,
    timeoutMs,
  }: {
    readonly hostSeenMs: number
    readonly host: string | null
    readonly accountId: string
    readonly timeoutMs: number
  },
): BrowserDriver {
  const isAlive = async (session: string): Promise<boolean> => {
    try {
      return await isReached(own, { session, host })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // A process that cannot be reached from here runs it.
      return now() - hostSeenMs < HOST_LOST_MS
    }
  }
  return {
    async make({ label, keepAlive, record }) {
      if (own === undefined)
        throw new AppError(
          'upstream_not_configured',
          'This gateway runs no browsers. Nothing was charged.',
        )
      const signal = AbortSignal.timeout(timeoutMs)
      const connectUrl = await own.open({
        session: label,
        accountId,
        keepAlive: keepAlive === true,
        isRecorded: record === true,
        signal,
      })
      return {
        session: label,
        connectUrl,
        liveViewUrl: own.liveViewUrl(label),
        lastsMs: LONGEST_SECONDS * 1000,
      }
    },
    stateOf: async (session) =>
      (await isAlive(session))
        ? {
            status: 'active',
            isAlive: true,
            ...(own === undefined ? {} : { liveViewUrl: own.liveViewUrl(session) }),
          }
        : { status: 'ended', isAlive: false },
    end: async (session) => own?.end(session),
    find: async (label) => ((await isAlive(label)) ? [label] : []),
  }
}
