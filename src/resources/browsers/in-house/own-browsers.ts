import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../errors/app-error.ts'
import { createSlots, type SlotUse } from '../../../lib/fairness/fair-slots.ts'
import { LONGEST_SECONDS } from '../browser-driver.ts'
import type { RunningBrowser } from './running-browser.ts'
import type { BrowserHost, HostedBrowser } from './host/browser-host.ts'
import { recordSession, type Recorder } from './recording/record-session.ts'
import { createFrameStream } from './view/frame-stream.ts'
import { createScreencast, type Screencast } from './view/screencast.ts'

/** Starts one browser. The signal ends an unfinished start. Rejects with AppError. */
export type StartBrowser = (session: string, signal: AbortSignal) => Promise<RunningBrowser>

export type OwnBrowserOrder = {
  readonly session: string
  readonly accountId: string
  /** Whether the browser continues without a client. */
  readonly keepAlive: boolean
  /** Stores a video of the session. */
  readonly isRecorded?: boolean
  readonly signal: AbortSignal
}

/** A running session. */
export type OwnBrowser = HostedBrowser & {
  readonly session: string
  readonly browser: RunningBrowser
  readonly connectUrl: string
  /** Counts a client until the returned function is called. Null when the session has too many. */
  join(): (() => void) | null
}

/** The browsers of this process. */
export type OwnBrowsers = {
  readonly host: BrowserHost | undefined
  /** Returns the connectUrl, which contains the token. Rejects with `overloaded` if all places are taken, and `upstream_not_configured` if no browser starts. */
  open(order: OwnBrowserOrder): Promise<string>
  /** `ended`: it ran in this process. `unknown`: another process may run it. */
  stateOf(session: string): 'running' | 'ended' | 'unknown'
  /** The session that this token opens, or undefined. */
  find(session: string, token: string): OwnBrowser | undefined
  /** The page that shows a session to its owner. */
  liveViewUrl(session: string): string
  /** A session of this process, for a caller that may see it. */
  get(session: string): OwnBrowser | undefined
  /** Ends a session of this process. Other sessions are ignored. */
  end(session: string): Promise<void>
  /** As `end`, and waits some seconds until its video is stored. */
  release(session: string): Promise<void>
  /** Ends a session of this process after this time, unless a later call changes the time. */
  endAfter(session: string, ms: number): void
  running(): readonly string[]
  /** The sessions that ended here, until `forget` is called. */
  ended(): readonly string[]
  forget(sessions: readonly string[]): void
  use(): SlotUse
  close(): Promise<void>
}

export type OwnBrowserSettings = {
  readonly start: StartBrowser
  readonly places: number
  readonly publicUrl: string
  /** How long a session without `keepAlive` continues after its last client has left. */
  readonly graceMs: number
  /** The other processes of this machine; without it, sessions are reached in this process only. */
  readonly host?: BrowserHost
  /** Makes videos; without it, no session is recorded. */
  readonly recorder?: Recorder
}

const TOKEN_BYTES = 24
const MOST_CLIENTS = 16
const MOST_VIEWERS = 8
const SAVE_WAIT_MS = 5_000

type Entry = OwnBrowser & {
  readonly screencast: Screencast
  readonly token: string
  readonly release: () => void
}

export function createOwnBrowsers(settings: OwnBrowserSettings): OwnBrowsers {
  const { places } = settings
  const slots = createSlots({
    places,
    perAccount: Math.max(1, Math.ceil(places / 2)),
    waiting: 0,
    what: 'an in-house browser session',
  })
  const running = new Map<string, Entry>()
  /** Videos that are not stored yet. */
  const saving = new Map<string, Promise<void>>()
  const ended = new Set<string>()
  /** End sessions also while the database does not answer. */
  const deadlines = new Map<string, NodeJS.Timeout>()
  const closing = new AbortController()

  function endAfter(session: string, ms: number): void {
    const entry = running.get(session)
    if (entry === undefined) return
    clearTimeout(deadlines.get(session))
    deadlines.set(session, setTimeout(() => void entry.browser.end(), ms).unref())
  }

  function record({ session, screencast, browser: { ended: isOver } }: Entry): void {
    if (settings.recorder === undefined) return
    const { saved } = recordSession(settings.recorder, { session, screencast, ended: isOver })
    saving.set(
      session,
      saved.finally(() => saving.delete(session)),
    )
  }

  async function open({
    session,
    accountId,
    keepAlive,
    isRecorded = false,
    signal,
  }: OwnBrowserOrder): Promise<string> {
    if (isRecorded && settings.recorder === undefined) throw noRecorder()
    const ends = AbortSignal.any([signal, closing.signal])
    const release = await slots.take({ accountId, signal: ends })
    try {
      const browser = await settings.start(session, ends)
      const entry = entryFor(settings, { session, browser, keepAlive, release })
      running.set(session, entry)
      if (isRecorded) record(entry)
      endAfter(session, LONGEST_SECONDS * 1000)
      void browser.ended.then(() => {
        running.delete(session)
        clearTimeout(deadlines.get(session))
        deadlines.delete(session)
        ended.add(session)
        release()
      })
      return entry.connectUrl
    } catch (error) {
      release()
      throw error
    }
  }

  const own: OwnBrowsers = {
    host: settings.host,
    open,
    stateOf: (session) =>
      running.has(session) ? 'running' : ended.has(session) ? 'ended' : 'unknown',
    find(session, token) {
      const entry = running.get(session)
      return entry !== undefined && isEqual(entry.token, token) ? entry : undefined
    },
    liveViewUrl: (session) => `${settings.publicUrl}/browsers/${session}`,
    get: (session) => running.get(session),
    end: async (session) => running.get(session)?.browser.end(),
    async release(session) {
      await own.end(session)
      await within(SAVE_WAIT_MS, saving.get(session))
    },
    endAfter,
    running: () => [...running.keys()],
    ended: () => [...ended],
    forget: (sessions) => sessions.forEach((session) => ended.delete(session)),
    use: slots.use,
    async close() {
      closing.abort(new AppError('shutting_down'))
      await Promise.all([...running.values()].map(({ browser }) => browser.end()))
      await Promise.all(saving.values())
      await settings.host?.close()
    },
  }
  settings.host?.serve(own)
  return own
}

function entryFor(
  { publicUrl, graceMs, host }: OwnBrowserSettings,
  {
    session,
    browser,
    keepAlive,
    release,
  }: Pick<Entry, 'session' | 'browser' | 'release'> & { readonly keepAlive: boolean },
): Entry {
  // Begins with the name of the process, so that another process finds it.
  const token = `${host === undefined ? '' : `${host.name}-`}${randomBytes(TOKEN_BYTES).toString('base64url')}`
  const screencast = createScreencast(browser.hub)
  let clients = 0
  let viewers = 0
  let leaving: NodeJS.Timeout | undefined
  return {
    session,
    browser,
    token,
    screencast,
    release,
    connectUrl: `${publicUrl.replace(/^http/, 'ws')}/browsers/${session}/cdp?token=${token}`,
    viewers: () => viewers,
    page: () => screencast.page(),
    watch() {
      if (viewers >= MOST_VIEWERS) return null
      viewers += 1
      const stream = createFrameStream(screencast, browser.ended)
      stream.once('close', () => (viewers -= 1))
      return stream
    },
    join() {
      if (clients >= MOST_CLIENTS) return null
      clients += 1
      clearTimeout(leaving)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        clients -= 1
        if (clients === 0 && !keepAlive)
          leaving = setTimeout(() => void browser.end(), graceMs).unref()
      }
    },
  }
}

/** Resolves after this time at the latest. */
async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

function noRecorder(): AppError {
  return new AppError('invalid_params', 'This gateway records no sessions. Nothing was charged.', {
    param: 'record',
    fix: 'Omit "record". The operator can install ffmpeg.',
  })
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
