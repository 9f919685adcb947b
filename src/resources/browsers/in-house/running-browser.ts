import type { CdpHub } from './cdp-hub.ts'

/** A browser with all its processes. */
export type RunningBrowser = {
  readonly hub: CdpHub
  /** Resolves when the browser has ended, for any reason. Never rejects. */
  readonly ended: Promise<void>
  /** Ends it and waits for that. Never rejects. */
  end(): Promise<void>
}
