/** In-house browsers without processes. Each shows one page, and sends a frame at the start of a screencast. */
import {
  createOwnBrowsers,
  type OwnBrowsers,
} from '../../src/resources/browsers/in-house/own-browsers.ts'
import type { CdpHub } from '../../src/resources/browsers/in-house/cdp-hub.ts'
import type { RunningBrowser } from '../../src/resources/browsers/in-house/running-browser.ts'
import type { BrowserHost } from '../../src/resources/browsers/in-house/host/browser-host.ts'
import { newId, publicId } from '../../src/lib/ids.ts'
import type { Database } from '../../src/db/database.ts'
import type { Caller } from '../../src/keys/caller.ts'

export type FakeBrowser = RunningBrowser & {
  /** The methods of all commands so far. */
  readonly sent: readonly string[]
  /** Sends a frame to a running screencast. */
  frame(jpeg: Buffer): void
}

export type FakeBrowsers = {
  readonly own: OwnBrowsers
  readonly started: ReadonlyMap<string, FakeBrowser>
}

/** A start of a JPEG. */
export const FIRST_FRAME = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])
export const SHOWN_PAGE = { url: 'https://shop.example/cart?item=1', title: 'Cart <of> a shop' }

export function createFakeBrowsers(places = 16, host?: BrowserHost): FakeBrowsers {
  const started = new Map<string, FakeBrowser>()
  const own = createOwnBrowsers({
    async start(session) {
      const browser = createFakeBrowser()
      started.set(session, browser)
      void browser.ended.then(() => started.delete(session))
      return browser
    },
    places,
    publicUrl: 'https://gate.example',
    graceMs: 0,
    ...(host === undefined ? {} : { host }),
  })
  return { own, started }
}

export function createFakeBrowser(): FakeBrowser {
  const sent: string[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let receive: (message: object) => void = () => undefined
  const frame = (jpeg: Buffer): void =>
    receive({
      method: 'Page.screencastFrame',
      params: { data: jpeg.toString('base64'), sessionId: 1 },
      sessionId: 'AB',
    })
  const hub: CdpHub = {
    async connect(client) {
      receive = (message) => client.receive(JSON.stringify(message))
      return {
        send(text) {
          const { id, method } = JSON.parse(text) as { id: number; method: string }
          sent.push(method)
          receive({ id, result: method === 'Target.attachToTarget' ? { sessionId: 'AB' } : {} })
          if (method === 'Target.setDiscoverTargets')
            receive({
              method: 'Target.targetCreated',
              params: { targetInfo: { targetId: 'T', type: 'page', ...SHOWN_PAGE } },
            })
          if (method === 'Page.startScreencast') frame(FIRST_FRAME)
        },
        close: () => undefined,
      }
    },
  }
  return { hub, ended, sent, frame, end: async () => end() }
}

/** Opens a session of a caller that is paid for an hour, without a call. Returns its id. */
export async function openFakeSession(
  { own }: Pick<FakeBrowsers, 'own'>,
  database: Pick<Database, 'query'>,
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  nowMs: number,
): Promise<string> {
  const id = newId(nowMs)
  const session = publicId('session', id)
  const { signal } = new AbortController()
  await own.open({ session, accountId, keepAlive: true, signal })
  await database.query(
    'insert into browser_sessions (id, account_id, key_id, session, opened_ms, paid_until_ms, lasts_until_ms, host_seen_ms, host) values ($1, $2, $3, $4, $5, $6, $6, $5, $7)',
    [id, accountId, keyId, session, nowMs, nowMs + 3_600_000, own.host?.name ?? null],
  )
  return session
}
