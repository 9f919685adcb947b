import type { Proxies } from '../../catalog/vocabulary/browser-proxies.ts'

/** `label`: stored with the session, so that it is found even if the response is lost. */
export type BrowserOrder = {
  readonly label: string
  readonly minutes: number
  readonly keepAlive: boolean | undefined
  readonly proxies: Proxies | undefined
  /** Stores a video of the session. In-house only. */
  readonly record?: boolean | undefined
}

/** `lastsMs`: how long after the order the session ends at the latest. */
export type MadeBrowser = {
  readonly session: string
  readonly connectUrl: string
  /** The page that shows a browser of this machine to people. */
  readonly liveViewUrl?: string
  readonly lastsMs: number
}

export type BrowserState = {
  readonly status: string
  readonly isAlive: boolean
  readonly liveViewUrl?: string
}

/** The longest session, at the vendor and in-house. */
export const LONGEST_SECONDS = 21_600

/** Opens and ends the browsers of one place: the vendor or this machine. Rejects with AppError. */
export type BrowserDriver = {
  make(order: BrowserOrder): Promise<MadeBrowser>
  stateOf(session: string): Promise<BrowserState>
  /** No error if the session has already ended. */
  end(session: string): Promise<void>
  /** The live sessions with this label. */
  find(label: string): Promise<readonly string[]>
}
